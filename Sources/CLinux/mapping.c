#include "confine.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>

static void *volatile mapping;
static volatile size_t mapped;

static void forget(int signal) {
    (void)signal;
    madvise(mapping, mapped, MADV_DONTNEED);
}

int clinux_prepare_forgetting(void) {
    struct sigaction action = {.sa_handler = forget, .sa_flags = SA_RESTART};
    return sigaction(SIGPROF, &action, NULL);
}

void clinux_forget_what_was_read(void *start, size_t length) {
    struct timeval interval = {.tv_usec = length ? 10000 : 0};
    struct itimerval timer = {.it_interval = interval, .it_value = interval};
    if (length) mapping = start, mapped = length;
    setitimer(ITIMER_PROF, &timer, NULL);
}
