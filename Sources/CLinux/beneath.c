// Opens a path beneath a directory so that it cannot lead out of it: no symbolic link is followed, and on request no mount is
// entered. openat2(2) does that in one call. Where it is missing, each part of the path is opened by itself.
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fail(int error) {
    errno = error;
    return -1;
}

static int is_link(int directory, const char *name) {
    struct stat status;
    return !fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) &&
           S_ISLNK(status.st_mode);
}

static void close_quietly(int file) {
    int error = errno;
    close(file);
    errno = error;
}

int clinux_is_mount(int directory, const char *name) {
    struct statx status;
    // A network disk may never answer. With these flags, the kernel answers for it.
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
    // The mask 0 requests nothing that FUSE would refuse for a file system of another user. The attributes come anyway.
    return !statx(directory, name, flags, 0, &status) && status.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

int clinux_status(int directory, const char *name, void *status, int enters_mounts) {
    if (!enters_mounts && clinux_is_mount(directory, name)) return fail(EXDEV);
    return fstatat(directory, name, status, AT_SYMLINK_NOFOLLOW);
}

/* Opens one part of a path. Fails for a link with ELOOP, and for a mount with EXDEV, as openat2(2) does. */
static int open_step(int directory, const char *name, int flags, unsigned mode, int enters_mounts) {
    // mutation test: step-stays-beneath (see Tests/Mutants)
    if (!*name || !strcmp(name, "..")) return fail(EXDEV);
    // mutation test: step-enters-no-mount
    if (!enters_mounts && strcmp(name, ".") && clinux_is_mount(directory, name)) return fail(EXDEV);
    // mutation test: step-follows-no-link
    int file = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file < 0) return errno == ENOTDIR && is_link(directory, name) ? fail(ELOOP) : -1;
    // With O_PATH, openat(2) opens the link itself. The caller wants that only if it asked for O_NOFOLLOW.
    if ((flags & (O_PATH | O_NOFOLLOW)) != O_PATH || !is_link(file, "")) return file;
    close(file);
    return fail(ELOOP);
}

int clinux_open_by_steps(
    int directory, const char *path, int flags, unsigned mode, int enters_mounts) {
    int folder = directory;
    for (const char *slash; folder >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        char name[NAME_MAX + 1] = {0};
        size_t length = (size_t)(slash - path);
        if (length <= NAME_MAX) memcpy(name, path, length);
        int next = length > NAME_MAX ? fail(ENAMETOOLONG)
                                     : open_step(folder, name, O_PATH | O_DIRECTORY, 0, enters_mounts);
        if (folder != directory) close_quietly(folder);
        folder = next;
    }
    if (folder < 0) return -1;
    int file = open_step(folder, path, flags, mode, enters_mounts);
    if (folder != directory) close_quietly(folder);
    return file;
}

/* Whether openat2(2) has just failed because the kernel lacks it, or because a filter of system calls blocks it. Then errno is
   ENOSYS, also with the filter of systemd's RestrictSUIDSGID=. The filters of old container runtimes answer EPERM. The kernel
   does so, too, for a file that may not be opened. But a filter also refuses to open the directory itself. */
static int is_blocked(int directory) {
    if (errno != EPERM) return errno == ENOSYS;
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC};
    int file = (int)syscall(SYS_openat2, directory, ".", &how, sizeof how);
    int is_refused = file < 0 && errno == EPERM;
    if (file >= 0) close(file);
    errno = EPERM;
    return is_refused;
}

int clinux_open_beneath(
    int directory, const char *path, int flags, unsigned mode, int enters_mounts) {
    static atomic_bool is_missing;
    struct open_how how = {
        .flags = (unsigned)flags | O_CLOEXEC,
        .mode = flags & O_CREAT ? mode : 0,
        // mutation test: open-stays-beneath, open-follows-no-link
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
    };
    // mutation test: open-enters-no-mount
    if (!enters_mounts) how.resolve |= RESOLVE_NO_XDEV;
    if (!is_missing) {
        int file = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
        if (file >= 0 || !is_blocked(directory)) return file;
        is_missing = 1;
    }
    return clinux_open_by_steps(directory, path, flags, mode, enters_mounts);
}
