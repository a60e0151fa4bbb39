#include "load.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

void measure_latency(struct load *load, int count) {
    double *latencies = malloc((size_t)count * sizeof *latencies);
    if (!latencies) fail("no memory for %d latencies", count);
    for (int index = 0; index < count; index++) {
        load_set_next(load);
        load_wait(load, 0);
        latencies[index] = load->last_latency;
    }
    qsort(latencies, (size_t)count, sizeof *latencies, compare);
    printf("latency_p50_us %.1f\n", latencies[count / 2] * 1e6);
    printf("latency_p99_us %.1f\n", latencies[(int)((double)count * 0.99)] * 1e6);
    printf("latency_max_us %.1f\n", latencies[count - 1] * 1e6);
    free(latencies);
}

/// Processor time that a process has used, in seconds: user and system time, fields 14 and 15 of its `stat`.
static double processor_time(int pid) {
    char path[64], line[1024] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) fail("process %d is gone", pid);
    fclose(file);
    char *after_name = strrchr(line, ')');
    unsigned long user, system;
    if (!after_name || sscanf(after_name + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        fail("%s has another format than proc(5) says", path);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

void measure_sustained(struct load *load, int window, double seconds, int pid) {
    double started = 0, processor = 0;
    long applied = 0;
    for (double warm = now() + 0.5; started == 0 || now() < started + seconds;) {
        while (load->awaited < window) load_set_next(load);
        load_wait(load, window - 1);
        if (started == 0 && now() >= warm) {
            processor = processor_time(pid);
            applied = load->applied;
            started = now();
        }
    }
    double elapsed = now() - started;
    processor = processor_time(pid) - processor;
    applied = load->applied - applied;
    load_wait(load, 0);
    printf("sets_per_second %.0f\n", (double)applied / elapsed);
    printf("cpu_ms_per_1000_sets %.2f\n", processor * 1e6 / (double)applied);
}
