// Devices over HTTP, and dead ones. Usage: Devices LIVING SILENT REFUSING UNREACHABLE
// Prints their ports, one a line, the living ones first.
//
// A living device has a toggle `s0` and a range `s1`: `GET /` answers them as JSON, `PUT /s0/VALUE` changes one. A silent
// one accepts connections and answers nothing; a refusing one refuses connections; an unreachable one lets them wait.
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most = 1024 };

struct device {
    char toggle[8], range[8];
};

static struct device devices[most];
static struct pollfd sockets[4 * most];
static struct device *of_socket[4 * most];  // NULL for silent devices
static int is_listener[4 * most];
static int count;

static void add(int descriptor, struct device *device, int listens) {
    if (descriptor < 0) return;
    if (count == 4 * most) {
        close(descriptor);
        return;
    }
    sockets[count] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    of_socket[count] = device;
    is_listener[count++] = listens;
}

/// A socket on a free loopback port, which is printed.
static int bound(struct sockaddr_in *address) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof *address;
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)address, size) != 0 ||
        getsockname(descriptor, (struct sockaddr *)address, &size) != 0) {
        perror("Devices");
        exit(1);
    }
    printf("%d\n", ntohs(address->sin_port));
    return descriptor;
}

/// Fills the queue of a listener that never accepts: the kernel leaves further connections without an answer.
static void fill(int listener, const struct sockaddr_in *address) {
    listen(listener, 0);
    for (int index = 0; index < 2; index++) {
        int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(descriptor, (const struct sockaddr *)address, sizeof *address);
    }
}

/// A request is so short that it comes as a whole.
static void answer(int descriptor, struct device *device) {
    char request[4096], body[128], text[512];
    ssize_t length = read(descriptor, request, sizeof request - 1);
    if (length <= 0) {
        for (int index = 0; index < count; index++)
            if (sockets[index].fd == descriptor) sockets[index].fd = -1;
        close(descriptor);
        return;
    }
    if (!device) return;
    request[length] = '\0';
    sscanf(request, "PUT /s0/%7s", device->toggle);
    sscanf(request, "PUT /s1/%7s", device->range);
    snprintf(body, sizeof body, "{\"s0\":%s,\"s1\":%s}", device->toggle, device->range);
    int size = snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                        strlen(body), body);
    if (write(descriptor, text, (size_t)size) != size) perror("Devices");
}

int main(int arguments, char **argument) {
    if (arguments != 5) {
        fputs("usage: Devices LIVING SILENT REFUSING UNREACHABLE\n", stderr);
        return 2;
    }
    int numbers[4], total = 0;
    for (int kind = 0; kind < 4; kind++) total += numbers[kind] = atoi(argument[kind + 1]);
    if (total > most) return 2;
    for (int kind = 0; kind < 4; kind++) {
        for (int index = 0; index < numbers[kind]; index++) {
            struct sockaddr_in address;
            int listener = bound(&address);
            if (kind == 3) fill(listener, &address);
            if (kind > 1) continue;
            listen(listener, 16);
            devices[index] = (struct device){.toggle = "false", .range = "0"};
            add(listener, kind == 0 ? &devices[index] : NULL, 1);
        }
    }
    fflush(stdout);
    while (poll(sockets, (nfds_t)count, -1) >= 0) {
        for (int index = 0, before = count; index < before; index++) {
            if (sockets[index].fd < 0 || !sockets[index].revents) continue;
            if (is_listener[index]) add(accept(sockets[index].fd, NULL, NULL), of_socket[index], 0);
            else answer(sockets[index].fd, of_socket[index]);
        }
        // What was closed leaves no gap behind.
        int kept = 0;
        for (int index = 0; index < count; index++) {
            if (sockets[index].fd < 0) continue;
            sockets[kept] = sockets[index], of_socket[kept] = of_socket[index], is_listener[kept++] = is_listener[index];
        }
        count = kept;
    }
    perror("Devices");
    return 1;
}
