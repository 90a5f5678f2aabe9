#if !__has_include(<turbojpeg.h>)
#error "turbojpeg is missing: apt-get install libturbojpeg0-dev"
#endif
#include <turbojpeg.h>
