#include "clinux.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

long long clinux_program_time(void) {
    struct statx status;
    const char *paths[] = {"/proc/self/exe", clinux_program()};
    for (int i = 0; i < 2; i++) {
        // Not by way of the C library: one that fakes the time, see faketime(1), fakes that of files, too.
        if (paths[i] && !syscall(SYS_statx, AT_FDCWD, paths[i], 0, STATX_MTIME, &status))
            return status.stx_mtime.tv_sec;
    }
    return 0;
}
