#if !__has_include(<spng.h>)
#error "spng is missing: apt-get install libspng-dev"
#endif
#include <spng.h>
