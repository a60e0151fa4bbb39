#include "load.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: Load latency PORT BASE ACCESSORIES SETTINGS QOS COUNT\n"
    "       Load sustained PORT BASE ACCESSORIES SETTINGS QOS WINDOW SECONDS PID\n"
    "       Load start PORT BASE ACCESSORIES SETTINGS LOG\n"
    "       Load burst PORT BASE\n";

int main(int count, char **arguments) {
    const char *measurement = count > 1 ? arguments[1] : "";
    bool is_latency = strcmp(measurement, "latency") == 0 && count == 8;
    bool is_sustained = strcmp(measurement, "sustained") == 0 && count == 10;
    bool is_start = strcmp(measurement, "start") == 0 && count == 7;
    bool is_burst = strcmp(measurement, "burst") == 0 && count == 4;
    if (!is_latency && !is_sustained && !is_start && !is_burst) {
        fputs(usage, stderr);
        return 2;
    }
    int port = atoi(arguments[2]);
    if (is_burst) {
        measure_burst(port, arguments[3]);
        return 0;
    }
    int accessories = atoi(arguments[4]), settings = atoi(arguments[5]);
    if (is_start) {
        measure_start(port, arguments[3], accessories, settings, arguments[6]);
        return 0;
    }
    struct load load = {.base = arguments[3], .accessories = accessories, .settings = settings, .qos = atoi(arguments[6])};
    load_open(&load, port);
    if (is_latency) measure_latency(&load, atoi(arguments[7]));
    else measure_sustained(&load, atoi(arguments[7]), atof(arguments[8]), atoi(arguments[9]));
    return 0;
}
