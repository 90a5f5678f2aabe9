#if !__has_include(<gif_lib.h>)
#error "gif is missing: apt-get install libgif-dev"
#endif
#include <stdio.h>
#include <gif_lib.h>
