#ifndef CGALLERYASSETS_ASSETS_H
#define CGALLERYASSETS_ASSETS_H

/* The style sheet, the scripts and the icon of the gallery: the files of `Files`, which are built into the
   program. As array literals of Swift they would take the compiler a third of its time for Views. */

#include <stddef.h>

struct gallery_asset {
    const char *name;
    /* Ends with a 0. */
    const unsigned char *text;
};

/* The asset with this index, from 0 on; its name is NULL after the last one. */
struct gallery_asset gallery_asset(size_t index);

#endif
