#if !__has_include(<microhttpd.h>)
#error "microhttpd is missing: apt-get install libmicrohttpd-dev"
#endif
#include <arpa/inet.h>
#include <microhttpd.h>
#include <sys/socket.h>
#include <unistd.h>

/* Listens on 127.0.0.1, on any free port if `port` is 0; NULL and errno on failure.

   MHD_start_daemon(3) is variadic. A thread for each connection, so that an answer may block; poll(2),
   so that descriptors above 1024 serve; room in the pool for an answer with very large headers. */
static inline struct MHD_Daemon *microhttpd_start(
    uint16_t port, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed,
    void *context) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ITC,
        port, NULL, NULL, answer, context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)512 << 10, MHD_OPTION_END);
}

/* The port on which `daemon` listens. */
static inline uint16_t microhttpd_port(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

/* A socket that keeps `port` of 127.0.0.1 and accepts nothing: connections are refused. -1 on failure. */
static inline int microhttpd_keep(uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int kept = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (kept < 0) return -1;
    if (setsockopt(kept, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(kept, (struct sockaddr *)&address, sizeof address) == 0)
        return kept;
    close(kept);
    return -1;
}
