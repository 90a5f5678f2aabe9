// The functions of clinux.h, which says what each of them does, in the same order, except those of the other files.
#include "clinux.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

static struct timespec to_timespec(int64_t nanoseconds) {
    const int64_t second = 1000000000;
    return (struct timespec){.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
}

/* This process */

static int argument_count;
static char **arguments;

// Swift 6.3 looks for the arguments beside the environment, and finds none there if a preloaded library has changed the
// environment. So they are stored before main() runs: glibc passes them to each constructor.
__attribute__((constructor)) static void store_arguments(int count, char **words) {
    argument_count = count;
    arguments = words;
}

int clinux_argument_count(void) { return argument_count; }

const char *clinux_argument(int index) { return arguments[index]; }

long long clinux_program_time(void) {
    struct statx status;
    // A direct system call, because faketime(1) replaces the function of the C library.
    long failure = syscall(SYS_statx, AT_FDCWD, "/proc/self/exe", 0, STATX_MTIME, &status);
    return failure ? 0 : status.stx_mtime.tv_sec;
}

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_cond_wait(void *condition, void *mutex, int64_t nanoseconds) {
    struct timespec end = to_timespec(nanoseconds);
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &end);
}

/* Memory */

void clinux_limit_memory(int heaps, int mapped, int kept) {
    mallopt(M_ARENA_MAX, heaps);
    // Without fixed values, both thresholds grow to 64 MiB with the size of freed blocks.
    mallopt(M_MMAP_THRESHOLD, mapped);
    mallopt(M_TRIM_THRESHOLD, kept);
}

void clinux_malloc_trim(void) { malloc_trim(0); }

ssize_t clinux_memmem(const void *text, size_t size, const void *sought, size_t length) {
    const char *found = memmem(text, size, sought, length);
    return found ? found - (const char *)text : -1;
}

/* Files */

int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_rename_noreplace(int from, const char *old_name, int to, const char *new_name) {
    // mutation test: rename-replaces-nothing (see Tests/Mutants)
    return renameat2(from, old_name, to, new_name, RENAME_NOREPLACE);
}

int clinux_ficlone(int from, int to) { return ioctl(to, FICLONE, from); }

int clinux_syncfs(int descriptor) { return syncfs(descriptor); }

void clinux_start_writing(int descriptor) {
    sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0);
}

ssize_t clinux_get_attribute(int descriptor, const char *name, void *value, size_t size) {
    return fgetxattr(descriptor, name, value, size);
}

int clinux_creation_time(int descriptor, struct timespec *time) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status)) return -1;
    if (!(status.stx_mask & STATX_BTIME)) return -1;
    *time = (struct timespec){.tv_sec = status.stx_btime.tv_sec, .tv_nsec = status.stx_btime.tv_nsec};
    return 0;
}

int clinux_file_system(int descriptor, uint64_t *type, uint64_t *id) {
    struct statfs status;
    if (fstatfs(descriptor, &status)) return -1;
    *type = (uint64_t)status.f_type;
    memcpy(id, &status.f_fsid, sizeof *id);
    return 0;
}

/* Locks of open file descriptions */

static int set_ofd_lock(int descriptor, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int clinux_ofd_lock(int descriptor) { return set_ofd_lock(descriptor, F_WRLCK); }

int clinux_ofd_unlock(int descriptor) { return set_ofd_lock(descriptor, F_UNLCK); }

int clinux_ofd_is_locked(int descriptor) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_GETLK, &lock) ? -1 : lock.l_type != F_UNLCK;
}

/* Events */

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC)) return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int clinux_timer(int clock) { return timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK); }

int clinux_timer_set(int timer, int64_t nanoseconds) {
    struct itimerspec when = {.it_value = to_timespec(nanoseconds)};
    return timerfd_settime(timer, 0, &when, NULL);
}

int clinux_wall_timer_set(int timer, int64_t seconds) {
    struct itimerspec when = {.it_value = {.tv_sec = seconds}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL);
}

int clinux_is_ignored(int signal) {
    struct sigaction action;
    return !sigaction(signal, NULL, &action) && action.sa_handler == SIG_IGN;
}

int clinux_signalfd(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
    if (sigprocmask(SIG_BLOCK, &set, NULL)) return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_signalfd_read(int descriptor) {
    struct signalfd_siginfo info;
    return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : -1;
}
