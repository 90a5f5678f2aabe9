/* Stands between a program and the C library (LD_PRELOAD), and lets one of its calls fail.

   Counted are the calls that change a file system, with FAULT_OPENS instead all that open a file. The name
   of each is appended to the file FAULT_LOG, one in a line. The call numbered FAULT_AT fails with FAULT_CODE,
   with FAULT_LASTS all later ones, too; the code 0 kills the process before the call; -1 writes half of the
   bytes. FAULT_AT=-1 never fails.

   FAULT_READS: counted are instead the calls that examine or read what has this text in its path; the log has each path
   behind the name of the call. FAULT_COUNT: so many calls fail from FAULT_AT on, else all. FAULT_GATE: they fail only
   while this file exists.
   FAULT_CREATES: with FAULT_READS, counted are instead the calls that create a file with this text in its path.
   FAULT_RENAMES: counted are instead the renames of names that match this pattern of fnmatch(3).
   FAULT_AFTER: kills the process so many microseconds after its start.
   FAULT_FLAGS: renameat2 takes no flags, as on some file systems.
   FAULT_LINKLESS: there are no symbolic links, which this code says: EPERM on exFAT, EIO on mounts of rclone.
   FAULT_CONTAINED: no symbolic link with “..” in its text can be read, as on sshfs with “contain_symlinks”.
   FAULT_BRANCH: no file can be renamed from elsewhere to a path with this text, as between two branches of mergerfs.
   FAULT_QUOTA: no file can have more bytes, as at the end of a quota; with FAULT_GATE, only while that file exists.
   FAULT_FOREIGN: no time, mode, owner or attribute can be set, which this code says, as on a disk that is mounted for
   another user.
   FAULT_PLAIN: renames take no flags, which this code says, there are no hard links, and directories cannot be synced, as
   on some shares.
   FAULT_UNFLUSHED: no file can be synced, either.
   FAULT_BLOCKED: openat2 and syncfs are blocked, which this code says, as by the filter of a container.
   FAULT_NAMES: no name is longer than so many bytes.
   FAULT_UNSYNCED: nothing is synced, and every sync succeeds.
   FAULT_CLOCK: so many seconds are added to the clock.
   FAULT_JUMP: a wait for a time of the clock lasts so many seconds, and the clocks jump to that time at its start. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define PASS(name, ...) return fails(#name) ? -1 : REAL(name)(__VA_ARGS__)

static atomic_int calls;
static int at, code, lasts, opens, creates, unsynced, limit, count = -1;
static const char *reads, *gate, *renames;
static const char selected_rename[] = "renameat";
static int foreign, plain, unflushed, blocked, longest_name = INT_MAX;
static atomic_long clock_offset, boot_offset;
static int jump;

static int number(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

/* A signal that cannot be blocked, see timer_create(2). */
static void kill_after(long microseconds) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec time = {.it_value = {
        microseconds / 1000000, microseconds % 1000000 * 1000 + 1}};
    timer_t timer;
    if (!timer_create(CLOCK_MONOTONIC, &event, &timer)) timer_settime(timer, 0, &time, NULL);
}

__attribute__((constructor)) static void begin(void) {
    at = number("FAULT_AT", -1);
    code = number("FAULT_CODE", 0);
    lasts = getenv("FAULT_LASTS") != NULL;
    opens = getenv("FAULT_OPENS") != NULL;
    reads = getenv("FAULT_READS");
    creates = getenv("FAULT_CREATES") != NULL;
    renames = getenv("FAULT_RENAMES");
    limit = number("FAULT_COUNT", INT_MAX);
    gate = getenv("FAULT_GATE");
    foreign = number("FAULT_FOREIGN", 0);
    plain = number("FAULT_PLAIN", 0);
    unflushed = getenv("FAULT_UNFLUSHED") != NULL;
    blocked = number("FAULT_BLOCKED", 0);
    longest_name = number("FAULT_NAMES", INT_MAX);
    unsynced = getenv("FAULT_UNSYNCED") != NULL;
    clock_offset = number("FAULT_CLOCK", 0);
    jump = number("FAULT_JUMP", -1);
    if (getenv("FAULT_AFTER")) kill_after(number("FAULT_AFTER", 0));
    if (getenv("FAULT_LOG"))
        count = REAL(open)(getenv("FAULT_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Refuses a kind of call for the whole run. */
static int refused(int is_refused, int error) {
    if (is_refused) errno = error;
    return is_refused;
}

/* Whether a name in the path is too long for the disk. */
static int is_too_long(const char *path) {
    int is_longer = 0;
    while (*path && !is_longer) {
        path += strspn(path, "/");
        size_t length = strcspn(path, "/");
        is_longer = length > (size_t)longest_name;
        path += length;
    }
    return refused(is_longer, ENAMETOOLONG);
}

/* Whether this call is the one. */
static int is_hit(const char *name) {
    if (renames && name != selected_rename) return 0;
    char line[40];
    size_t length = strlen(name);
    memcpy(line, name, length);
    line[length] = '\n';
    if (count >= 0) REAL(write)(count, line, length + 1);
    int call = atomic_fetch_add(&calls, 1) + 1;
    if (at < 0 || call < at || (call > at && !lasts)) return 0;
    while (!code) kill(getpid(), SIGKILL);
    return 1;
}

static int fails_with_code(const char *name) {
    if (!is_hit(name) || code < 0) return 0;
    errno = code;
    return 1;
}

static int fails(const char *name) { return !opens && !reads && fails_with_code(name); }

/* --- What is read */

/* Whether this call with the path `name` in `directory` is to fail; NULL is for the open file itself. */
static int path_fails(const char *call, int directory, const char *name) {
    if (name && is_too_long(name)) return 1;
    if (!reads) return 0;
    int error = errno;
    char path[2 * PATH_MAX] = "", link[40];
    if (!name || *name != '/') {
        snprintf(link, sizeof link, directory == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", directory);
        ssize_t length = REAL(readlink)(link, path, PATH_MAX);
        path[length < 0 ? 0 : length] = 0;
        if (name) strcat(path, "/");
    }
    if (name) strncat(path, name, PATH_MAX - 1);
    errno = error;
    // A directory is opened so, see DirectoryReader.
    size_t length = strlen(path);
    if (length > 2 && !strcmp(path + length - 2, "/.")) path[length - 2] = 0;
    if (!strstr(path, reads)) return 0;
    if (gate && REAL(access)(gate, F_OK)) {
        errno = error;
        return 0;
    }
    if (count >= 0) {
        char line[3 * PATH_MAX];
        int length = snprintf(line, sizeof line, "%s %s\n", call, path);
        REAL(write)(count, line, (size_t)length);
    }
    int number = atomic_fetch_add(&calls, 1) + 1;
    errno = error;
    if (at < 0 || number < at || number - at >= limit) return 0;
    errno = code;
    return 1;
}

/* Whether this call is to fail, which examines or reads what has this path. */
static int read_fails(const char *call, int directory, const char *name) {
    return creates ? name && is_too_long(name) : path_fails(call, directory, name);
}

#define READ(name, directory, path, ...) \
    return read_fails(#name, directory, path) ? -1 : REAL(name)(__VA_ARGS__)

int fstat(int file, struct stat *status) { READ(fstat, file, NULL, file, status); }
int fstatat(int directory, const char *path, struct stat *status, int flags) {
    READ(fstatat, directory, path, directory, path, status, flags);
}
ssize_t read(int file, void *bytes, size_t size) { READ(read, file, NULL, file, bytes, size); }
ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
    READ(pread, file, NULL, file, bytes, size, offset);
}
ssize_t pread64(int file, void *bytes, size_t size, off_t offset) {
    READ(pread64, file, NULL, file, bytes, size, offset);
}
ssize_t readlinkat(int directory, const char *path, char *bytes, size_t size) {
    if (read_fails("readlinkat", directory, path)) return -1;
    ssize_t length = REAL(readlinkat)(directory, path, bytes, size);
    int is_contained = getenv("FAULT_CONTAINED") && length > 0 && memmem(bytes, (size_t)length, "..", 2);
    return refused(is_contained, EPERM) ? -1 : length;
}
struct dirent *readdir(DIR *stream) {
    return read_fails("readdir", dirfd(stream), NULL) ? NULL : REAL(readdir)(stream);
}

/* --- Files that are opened */

static int open_fails(const char *name, int directory, const char *path, int flags) {
    if (is_too_long(path)) return 1;
    int changes = flags & O_CREAT || flags & O_TRUNC || (flags & O_TMPFILE) == O_TMPFILE;
    if (reads) return changes == creates && path_fails(name, directory, path);
    return (changes || opens) && fails_with_code(name);
}

#define MODE(last) \
    va_list list; \
    va_start(list, last); \
    mode_t mode = va_arg(list, mode_t); \
    va_end(list)

int open(const char *path, int flags, ...) {
    MODE(flags);
    return open_fails("open", AT_FDCWD, path, flags) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags);
    return open_fails("open", AT_FDCWD, path, flags) ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int directory, const char *path, int flags, ...) {
    MODE(flags);
    return open_fails("openat", directory, path, flags) ? -1 : REAL(openat)(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) {
    MODE(flags);
    return open_fails("openat", directory, path, flags) ? -1 : REAL(openat64)(directory, path, flags, mode);
}
int creat(const char *path, mode_t mode) {
    return open_fails("creat", AT_FDCWD, path, O_CREAT) ? -1 : REAL(creat)(path, mode);
}

/* openat2(2) has no function of its own. */
long syscall(long which, ...) {
    va_list list;
    va_start(list, which);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (refused(blocked && which == SYS_openat2, blocked)) return -1;
    if (which == SYS_openat2
        && open_fails("openat2", (int)a, (const char *)b, (int)((struct open_how *)c)->flags)) return -1;
    return REAL(syscall)(which, a, b, c, d, e, f);
}

/* --- Names */

static int is_on_branch(int directory, const char *name, const char *branch) {
    char link[40], path[2 * PATH_MAX] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = REAL(readlink)(link, path, PATH_MAX);
    path[length < 0 ? 0 : length] = 0;
    strcat(path, "/");
    strncat(path, name, PATH_MAX - 1);
    return strstr(path, branch) != NULL;
}

/* Whether the new name is on the branch, and the old one is not. */
static int crosses_branches(int a, const char *b, int c, const char *d) {
    const char *branch = getenv("FAULT_BRANCH");
    int crosses = branch && is_on_branch(c, d, branch) && !is_on_branch(a, b, branch);
    return refused(crosses, EXDEV);
}

int rename(const char *a, const char *b) { PASS(rename, a, b); }
int renameat(int a, const char *b, int c, const char *d) {
    if (is_too_long(d) || crosses_branches(a, b, c, d)) return -1;
    if (renames && !fnmatch(renames, b, 0) && fails(selected_rename)) return -1;
    PASS(renameat, a, b, c, d);
}
int renameat2(int a, const char *b, int c, const char *d, unsigned e) {
    if (e && refused(plain || getenv("FAULT_FLAGS") != NULL, plain ? plain : EINVAL)) return -1;
    if (is_too_long(d) || crosses_branches(a, b, c, d)) return -1;
    PASS(renameat2, a, b, c, d, e);
}
int link(const char *a, const char *b) {
    if (refused(plain, EIO)) return -1;
    PASS(link, a, b);
}
int linkat(int a, const char *b, int c, const char *d, int e) {
    if (refused(plain, EIO) || is_too_long(d) || crosses_branches(a, b, c, d)) return -1;
    PASS(linkat, a, b, c, d, e);
}
int symlink(const char *a, const char *b) { PASS(symlink, a, b); }
int symlinkat(const char *a, int b, const char *c) {
    if (refused(getenv("FAULT_LINKLESS") != NULL, number("FAULT_LINKLESS", 0))) return -1;
    if (is_too_long(c)) return -1;
    PASS(symlinkat, a, b, c);
}
int mkdir(const char *a, mode_t b) { PASS(mkdir, a, b); }
int mkdirat(int a, const char *b, mode_t c) {
    if (is_too_long(b)) return -1;
    PASS(mkdirat, a, b, c);
}
int unlink(const char *a) { PASS(unlink, a); }
int rmdir(const char *a) { PASS(rmdir, a); }
int unlinkat(int a, const char *b, int c) { PASS(unlinkat, a, b, c); }

/* --- What is on the disk */

#define SYNC(name, file) return fails(#name) ? -1 : unsynced ? 0 : REAL(name)(file)

int fsync(int file) {
    struct stat status;
    int is_directory = plain && !REAL(fstat)(file, &status) && S_ISDIR(status.st_mode);
    if (refused(unflushed || is_directory, EINVAL)) return -1;
    SYNC(fsync, file);
}
int fdatasync(int file) { SYNC(fdatasync, file); }
int syncfs(int file) {
    if (refused(blocked, blocked)) return -1;
    SYNC(syncfs, file);
}

/* --- Attributes */

/* What only the owner of a file may do. */
#define OWN(is_owners, name, ...) \
    if (refused(foreign && (is_owners), foreign)) return -1; \
    PASS(name, __VA_ARGS__)

int ftruncate(int file, off_t size) { PASS(ftruncate, file, size); }
int fallocate(int file, int mode, off_t a, off_t b) { PASS(fallocate, file, mode, a, b); }
/* All who may write to a file may set its times to now: see utimensat(2). */
int futimens(int file, const struct timespec times[2]) { OWN(times != NULL, futimens, file, times); }
int utimensat(int a, const char *b, const struct timespec times[2], int c) {
    OWN(times != NULL, utimensat, a, b, times, c);
}
int fsetxattr(int a, const char *b, const void *c, size_t d, int e) {
    OWN(1, fsetxattr, a, b, c, d, e);
}
int fremovexattr(int a, const char *b) { OWN(1, fremovexattr, a, b); }
int fchmod(int file, mode_t mode) { OWN(1, fchmod, file, mode); }
int fchmodat(int a, const char *b, mode_t c, int d) { OWN(1, fchmodat, a, b, c, d); }
int fchown(int file, uid_t a, gid_t b) { OWN(1, fchown, file, a, b); }
int fchownat(int a, const char *b, uid_t c, gid_t d, int e) { OWN(1, fchownat, a, b, c, d, e); }

/* --- Contents */

static int is_file(int file) {
    struct stat status;
    return !REAL(fstat)(file, &status) && S_ISREG(status.st_mode);
}

static int write_fails(const char *name, int file, size_t *size) {
    if (opens || reads || !is_file(file) || !is_hit(name)) return 0;
    if (code < 0) *size = *size > 1 ? *size / 2 : *size;
    else errno = code;
    return code > 0;
}

/* Whether the quota has no space for `size` more bytes at `offset`. */
static int exceeds_quota(int file, off_t offset, size_t size) {
    int quota = number("FAULT_QUOTA", 0);
    if (!quota || !is_file(file) || (gate && REAL(access)(gate, F_OK))) return 0;
    return refused(offset + (off_t)size > quota, EDQUOT);
}

ssize_t write(int file, const void *bytes, size_t size) {
    if (exceeds_quota(file, lseek(file, 0, SEEK_CUR), size)) return -1;
    return write_fails("write", file, &size) ? -1 : REAL(write)(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    if (exceeds_quota(file, offset, size)) return -1;
    return write_fails("pwrite64", file, &size) ? -1 : REAL(pwrite)(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset) {
    if (exceeds_quota(file, offset, size)) return -1;
    return write_fails("pwrite64", file, &size) ? -1 : REAL(pwrite64)(file, bytes, size, offset);
}
ssize_t writev(int file, const struct iovec *parts, int number) {
    size_t size = 0;
    return write_fails("writev", file, &size) ? -1 : REAL(writev)(file, parts, number);
}
ssize_t copy_file_range(int a, off_t *b, int file, off_t *c, size_t size, unsigned d) {
    return write_fails("copy_file_range", file, &size)
        ? -1 : REAL(copy_file_range)(a, b, file, c, size, d);
}
ssize_t sendfile(int file, int a, off_t *b, size_t size) {
    return write_fails("sendfile", file, &size) ? -1 : REAL(sendfile)(file, a, b, size);
}

/* FICLONE of ioctl_ficlone(2). */
int ioctl(int file, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (request == FICLONE && fails("ioctl")) return -1;
    return REAL(ioctl)(file, request, argument);
}

/* --- The clock */

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(clock_gettime)(clock, time);
    if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec += clock_offset;
    if (!result && clock == CLOCK_BOOTTIME) time->tv_sec += boot_offset;
    return result;
}
int timerfd_settime(
    int timer, int flags, const struct itimerspec *when, struct itimerspec *former) {
    if (jump < 0 || !(flags & TFD_TIMER_CANCEL_ON_SET))
        return REAL(timerfd_settime)(timer, flags, when, former);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    long wait = when->it_value.tv_sec - now.tv_sec;
    if (wait > 0) {
        clock_offset += wait;
        boot_offset += wait;
    }
    struct itimerspec soon = {.it_value = {jump, 1}};
    return REAL(timerfd_settime)(timer, 0, &soon, former);
}
int gettimeofday(struct timeval *time, void *zone) {
    int result = REAL(gettimeofday)(time, zone);
    if (!result) time->tv_sec += clock_offset;
    return result;
}
time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
