/* libcurl, with typed calls in place of the variadic ones that Swift cannot make. */
#if !__has_include(<curl/curl.h>)
#error "libcurl is missing: apt-get install libcurl4-gnutls-dev"
#endif
#include <curl/curl.h>
