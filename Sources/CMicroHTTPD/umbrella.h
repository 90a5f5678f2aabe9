#if !__has_include(<microhttpd.h>)
#error "microhttpd is missing: apt-get install libmicrohttpd-dev"
#endif
#include <microhttpd.h>

/* MHD_start_daemon(3) is variadic. A thread for each connection, so that an answer may block; poll(2),
   so that descriptors above 1024 serve; room in the pool for an answer with very large headers. */
static inline struct MHD_Daemon *microhttpd_start(
    int listening, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed,
    void *context) {
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ITC, 0, NULL, NULL,
        answer, context, MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_NOTIFY_COMPLETED,
        completed, context, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)512 << 10,
        MHD_OPTION_END);
}
