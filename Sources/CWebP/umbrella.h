#if !__has_include(<webp/demux.h>)
#error "webp is missing: apt-get install libwebp-dev"
#endif
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
