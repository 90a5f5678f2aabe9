// The functions of clinux.h, which says what each of them does.
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

// Swift 6.3 looks for the arguments beside the environment, and finds none there if a preloaded library has changed the
// environment. So they are kept before main() runs: glibc passes them to each constructor.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    argument_count = count;
    arguments = words;
}

int clinux_argument_count(void) { return argument_count; }

const char *clinux_argument(int index) { return arguments[index]; }

int clinux_open_in_memory(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_rename_noreplace(int from, const char *old_name, int to, const char *new_name) {
    // mutation test: rename-replaces-nothing (see Tests/Mutants)
    return renameat2(from, old_name, to, new_name, RENAME_NOREPLACE);
}

int clinux_clone(int from, int to) { return ioctl(to, FICLONE, from); }

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static struct timespec to_timespec(int64_t nanoseconds) {
    const int64_t second = 1000000000;
    return (struct timespec){.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
}

int clinux_wait(void *condition, void *mutex, int64_t nanoseconds) {
    struct timespec end = to_timespec(nanoseconds);
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &end);
}

void clinux_trim(void) { malloc_trim(0); }

void clinux_limit_memory(int heaps, int mapped, int kept) {
    mallopt(M_ARENA_MAX, heaps);
    // Without fixed values, both thresholds grow to 64 MiB with the size of freed blocks.
    mallopt(M_MMAP_THRESHOLD, mapped);
    mallopt(M_TRIM_THRESHOLD, kept);
}

ssize_t clinux_find(const void *text, size_t size, const void *sought, size_t length) {
    const char *found = memmem(text, size, sought, length);
    return found ? found - (const char *)text : -1;
}

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

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_timer(int clock) { return timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK); }

int clinux_wall_timer_set(int timer, int64_t seconds) {
    struct itimerspec when = {.it_value = {.tv_sec = seconds}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL);
}

int clinux_timer_set(int timer, int64_t nanoseconds) {
    struct itimerspec when = {.it_value = to_timespec(nanoseconds)};
    return timerfd_settime(timer, 0, &when, NULL);
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

int clinux_lock_visibly(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int clinux_unlock_visibly(int descriptor) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int clinux_is_locked_visibly(int descriptor) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_GETLK, &lock) ? -1 : lock.l_type != F_UNLCK;
}

int clinux_pidfd(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int clinux_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) ? -1 : fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int clinux_send_datagram(
    const char *address, size_t length, const void *bytes, size_t count, int microseconds) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (length > sizeof to.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(to.sun_path, address, length);
    // An abstract address begins with a zero and has no terminator, see unix(7).
    if (length > 0 && to.sun_path[0] == '@') to.sun_path[0] = 0;
    int sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (sender < 0) return -1;
    struct timeval timeout = {.tv_usec = microseconds};
    // For the socket, a timeout of 0 means to wait for ever, see socket(7).
    int flags = MSG_NOSIGNAL | (microseconds > 0 ? 0 : MSG_DONTWAIT);
    setsockopt(sender, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(sender, bytes, count, flags, (struct sockaddr *)&to, size);
    int error = errno;
    close(sender);
    errno = error;
    return sent < 0 ? -1 : 0;
}

long long clinux_program_time(void) {
    struct statx status;
    // A direct system call, because faketime(1) replaces the function of the C library.
    long failure = syscall(SYS_statx, AT_FDCWD, "/proc/self/exe", 0, STATX_MTIME, &status);
    return failure ? 0 : status.stx_mtime.tv_sec;
}

int clinux_origin(int descriptor, uint64_t *numbers) {
    struct statx status;
    if (!statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status) && status.stx_mask & STATX_BTIME) {
        numbers[0] = (uint64_t)status.stx_btime.tv_sec;
        numbers[1] = status.stx_btime.tv_nsec;
        return 1;
    }
    struct statfs place;
    if (fstatfs(descriptor, &place)) return -1;
    numbers[0] = (uint64_t)place.f_type;
    memcpy(numbers + 1, &place.f_fsid, sizeof *numbers);
    return 0;
}
