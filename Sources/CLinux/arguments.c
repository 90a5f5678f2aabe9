#include "clinux.h"

#include <sys/auxv.h>

static int count;
static char **words;

// glibc gives constructors what it gives main(): /proc/self/cmdline need not be there, and may lie.
__attribute__((constructor)) static void remember(int argc, char **argv) {
    count = argc;
    words = argv;
}

int clinux_argument_count(void) { return count; }

const char *clinux_argument(int index) { return index < count ? words[index] : NULL; }

const char *clinux_program(void) { return (const char *)getauxval(AT_EXECFN); }
