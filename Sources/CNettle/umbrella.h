#if !__has_include(<nettle/sha2.h>)
#error "nettle is missing: apt-get install nettle-dev"
#endif
#include <nettle/sha2.h>
