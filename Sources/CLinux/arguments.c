#include "clinux.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int count;
static char **words;

// glibc passes the arguments of main() to constructors; /proc/self/cmdline may be missing or changed.
__attribute__((constructor)) static void store_arguments(int argc, char **argv) {
    count = argc;
    words = argv;
}

int clinux_argument_count(void) { return count; }

const char *clinux_argument(int index) { return index < count ? words[index] : NULL; }

long long clinux_program_time(void) {
    struct statx status;
    // A direct system call: faketime(1) replaces the C library's function.
    long failure = syscall(SYS_statx, AT_FDCWD, "/proc/self/exe", 0, STATX_MTIME, &status);
    return failure ? 0 : status.stx_mtime.tv_sec;
}
