#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

int clinux_birth(int descriptor, int64_t *seconds, uint32_t *nanoseconds) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status)) return -1;
    if (!(status.stx_mask & STATX_BTIME)) {
        errno = ENOTSUP;
        return -1;
    }
    *seconds = status.stx_btime.tv_sec;
    *nanoseconds = status.stx_btime.tv_nsec;
    return 0;
}

int clinux_file_system(int descriptor, uint64_t *type, uint64_t *number) {
    struct statfs status;
    if (fstatfs(descriptor, &status)) return -1;
    *type = (uint64_t)status.f_type;
    memcpy(number, &status.f_fsid, sizeof *number);
    return 0;
}

int clinux_is_mount_root(int descriptor) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_INO, &status)) return 0;
    return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/* The ID of the mount of a file; 0 if it is unknown. */
static uint64_t mount_of(const char *path) {
    struct statx status;
    if (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT, STATX_MNT_ID, &status)) return 0;
    return status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0;
}

/* Whether systemd may have mounted another directory here for this service only, see ProtectHome= and
 * PrivateTmp= in systemd.exec(5), on a mount other than that of `own`. */
static int may_hide(const char *path, const struct statx *status, const char *own) {
    static const char *const hidden[] = {"/home", "/root", "/run/user", "/tmp", "/var/tmp"};
    if (!(status->stx_attributes & STATX_ATTR_MOUNT_ROOT) || mount_of(path) == mount_of(own)) return 0;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        struct statx other;
        if (!statx(AT_FDCWD, hidden[i], AT_NO_AUTOMOUNT, STATX_INO, &other) &&
            other.stx_ino == status->stx_ino && other.stx_dev_major == status->stx_dev_major &&
            other.stx_dev_minor == status->stx_dev_minor)
            return 1;
    }
    return 0;
}

/* Whether the path does not exist and its nearest existing parent does not hide it; shortens `path`. */
static int is_missing(char *path, const char *own) {
    struct statx status;
    int is_path = 1;
    while (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT, STATX_INO, &status)) {
        if (errno != ENOENT && errno != ENOTDIR) return 0;
        is_path = 0;
        char *slash = strrchr(path, '/');
        if (!slash || slash == path) return 1;
        *slash = 0;
    }
    return !is_path && !may_hide(path, &status, own);
}

/* The child process; it calls only functions of signal-safety(7). */
static void answer(int out, char *path, size_t count, const char *own) {
    // A child that cannot be killed must hold no descriptor of the parent, locks above all.
    if (dup2(out, 0) < 0 || syscall(SYS_close_range, 1, ~0U, 0)) _exit(1);
    for (size_t i = 0; i < count; i++) {
        char *next = path + strlen(path) + 1;
        if (write(0, is_missing(path, own) ? "-" : "+", 1) != 1) _exit(1);
        path = next;
    }
    _exit(0);
}

ssize_t clinux_probe(
    char *paths, size_t count, const char *own, char *answers, int milliseconds, pid_t *stuck) {
    *stuck = 0;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return -1;
    pid_t child = fork();
    if (child == 0) answer(ends[1], paths, count, own);
    close(ends[1]);
    ssize_t got = 0;
    while (child > 0 && (size_t)got < count) {
        struct pollfd ready = {.fd = ends[0], .events = POLLIN};
        int found = poll(&ready, 1, milliseconds);
        if (found < 0 && errno == EINTR) continue;
        if (found <= 0) break;
        ssize_t more = read(ends[0], answers + got, count - (size_t)got);
        if (more <= 0) break;
        got += more;
    }
    close(ends[0]);
    if (child <= 0) return -1;
    if ((size_t)got == count) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    } else {
        kill(child, SIGKILL);
        if (waitpid(child, NULL, WNOHANG) == 0) *stuck = child;
    }
    return got;
}

int clinux_has_ended(pid_t child) { return waitpid(child, NULL, WNOHANG) != 0; }
