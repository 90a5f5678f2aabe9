#ifndef PICTURES_H
#define PICTURES_H

#include <stddef.h>

/* The file NAME.jpg of this folder, which is in the program; NULL if there is none. */
const unsigned char *picture_file(const char *name, size_t *size);

#endif
