/* What some machines have around a program: a preloaded library that changes the environment at its start, as
   libfaketime does, and, with NO_LOCKS, a disk that locks no files, which this code says. */

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((constructor)) static void change_environment(void) {
    for (char name[] = "SURROUNDINGS_A"; name[13] <= 'Z'; name[13]++) setenv(name, "changed", 1);
}

int flock(int file, int operation) {
    const char *code = getenv("NO_LOCKS");
    if (!code) return syscall(SYS_flock, file, operation);
    errno = atoi(code);
    return -1;
}
