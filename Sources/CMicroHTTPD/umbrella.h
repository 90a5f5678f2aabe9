#if !__has_include(<microhttpd.h>)
#error "microhttpd is missing: apt-get install libmicrohttpd-dev"
#endif
#include <microhttpd.h>
