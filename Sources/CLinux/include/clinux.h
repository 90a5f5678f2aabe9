#ifndef CLINUX_H
#define CLINUX_H

/* Linux functions that Swift's Glibc module lacks, for the module Platform. If a comment does not say otherwise, they return
   -1 on failure, and set errno. */

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "confine.h"

/* The arguments of this process as execve(2) passed them, its own name first. */
int clinux_argument_count(void);
const char *clinux_argument(int index);
/* Opens a path beneath `directory` by openat2(2), which follows no symbolic link. If `enters_mounts` is 0, a path into a mount
   fails with EXDEV, and nothing is asked of the mount, which may never answer. */
int clinux_open_beneath(
    int directory, const char *path, int flags, unsigned mode, int enters_mounts);
/* The same for a kernel or a sandbox without openat2(2): opens one directory after the other. The path must have no empty
   part, and no "..". */
int clinux_open_by_steps(
    int directory, const char *path, int flags, unsigned mode, int enters_mounts);
/* Returns 1 if a file system is mounted at `name` in `directory`; 0 if not, and if that is not known, as before Linux 5.8. */
int clinux_is_mount(int directory, const char *name);
/* fstatat(2) into a struct stat; for a link, the status is that of the link itself. If `enters_mounts` is 0, fails with EXDEV
   for a mount. */
int clinux_status(int directory, const char *name, void *status, int enters_mounts);
/* Creates a file without a path, in memory; see memfd_create(2). */
int clinux_open_in_memory(const char *name);
/* Renames a file unless the new name exists, which fails with EEXIST; see RENAME_NOREPLACE in renameat2(2). */
int clinux_rename_noreplace(int from, const char *old_name, int to, const char *new_name);
/* FICLONE of ioctl_ficlone(2): lets the file `to` share the blocks of the file `from`. */
int clinux_clone(int from, int to);
/* Names this thread for top(1). */
void clinux_name_thread(const char *name);
/* pthread_cond_clockwait(3) until a time of CLOCK_MONOTONIC; returns 0 or ETIMEDOUT. */
int clinux_wait(void *condition, void *mutex, int64_t nanoseconds);
/* mallopt(3): limits the number of heaps to `heaps`, and the free bytes at the end of each to `kept`. Blocks of at least
   `mapped` bytes are outside of the heaps, so that they leave no gaps there when they are freed. */
void clinux_limit_memory(int heaps, int mapped, int kept);
/* syncfs(2). */
int clinux_syncfs(int descriptor);
/* Starts to write the file to the disk, without waiting; see sync_file_range(2). */
void clinux_start_writing(int descriptor);
/* Returns the offset of `sought` in `text`, or -1; does not set errno; see memmem(3). */
ssize_t clinux_find(const void *text, size_t size, const void *sought, size_t length);
/* malloc_trim(3): returns free memory to the system. */
void clinux_trim(void);

/* fsetxattr(2) and fgetxattr(2): the extended attribute `name`. */
int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size);
ssize_t clinux_get_attribute(int descriptor, const char *name, void *value, size_t size);

/* eventfd(2), not blocking. */
int clinux_eventfd(void);
/* timerfd_create(2), not blocking. */
int clinux_timer(int clock);
/* Lets a timer of CLOCK_REALTIME end so many `seconds` after the beginning of 1970. If somebody sets the clock before that,
   the timer can be read, too, and the read fails with ECANCELED. */
int clinux_wall_timer_set(int timer, int64_t seconds);
/* Lets a timer end after so many `nanoseconds`; 0 stops it. */
int clinux_timer_set(int timer, int64_t nanoseconds);
/* Returns 1 if this process ignores the signal, as SIGHUP after nohup(1), else 0. */
int clinux_is_ignored(int signal);
/* Blocks the signals in this thread, and returns a descriptor that receives them; see signalfd(2). */
int clinux_signalfd(const int *signals, size_t count);
/* Returns the number of the next signal, or -1 if there is none. */
int clinux_signalfd_read(int descriptor);

/* Sends a datagram to a socket of unix(7). An address that begins with @ is abstract. If the receiver's queue is full, waits so
   many `microseconds`, which must be less than a second, and then fails with EAGAIN. */
int clinux_send_datagram(
    const char *address, size_t length, const void *bytes, size_t count, int microseconds);

/* The modification time of this program in seconds since 1970; 0 if it is unknown. */
long long clinux_program_time(void);

/* F_OFD_SETLK of fcntl(2): locks the file so that another process can ask whether it is locked, without taking the lock. */
int clinux_lock_visibly(int descriptor);
/* Releases that lock, even if a child process has a copy of the descriptor. */
int clinux_unlock_visibly(int descriptor);
/* F_OFD_GETLK of fcntl(2): returns 1 if the file has that lock by another descriptor, else 0. */
int clinux_is_locked_visibly(int descriptor);

/* Writes two numbers that tell a directory from a later one with the same inode. They are the seconds and nanoseconds at which
   the file was created, see statx(2), and 1 is returned. If the file system does not record that, they are its own type and
   ID, see statfs(2), and 0 is returned. */
int clinux_origin(int descriptor, uint64_t *numbers);

/* pidfd_open(2): a descriptor that can be read when the process has ended. */
int clinux_pidfd(pid_t process);
/* pipe2(2) with O_CLOEXEC. Reading does not block, writing does. */
int clinux_pipe(int ends[2]);

#endif
