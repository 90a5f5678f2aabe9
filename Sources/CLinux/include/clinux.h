#ifndef CLINUX_H
#define CLINUX_H

/* Linux functions that Swift's Glibc module lacks. On failure they return -1 and set errno. */

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "confine.h"

/* The arguments that execve(2) gave to this process, its own name first. */
int clinux_argument_count(void);
const char *clinux_argument(int index);
/* openat2(2) beneath `directory`, without following symbolic links. Unless it `enters_mounts`, fails with EXDEV for a
   path through a mount; the mount, which may never answer, is not asked. */
int clinux_open_beneath(
    int directory, const char *path, int flags, unsigned mode, int enters_mounts);
/* clinux_open_beneath without openat2(2): opens one directory after the other. The path has neither an
   empty component nor "..". */
int clinux_open_by_steps(
    int directory, const char *path, int flags, unsigned mode, int enters_mounts);
/* Whether something is mounted at the name in `directory`; 0 if that is not known, as before Linux 5.8. */
int clinux_is_mount(int directory, const char *name);
/* fstatat(2), for a link of the link itself, into a struct stat. Unless it `enters_mounts`, fails with EXDEV for a mount. */
int clinux_status(int directory, const char *name, void *status, int enters_mounts);
/* memfd_create(2). */
int clinux_open_in_memory(const char *name);
/* RENAME_NOREPLACE of renameat2(2): fails with EEXIST if the new name exists. */
int clinux_rename_noreplace(int from, const char *old_name, int to, const char *new_name);
/* FICLONE of ioctl_ficlone(2): clones `from` into `to`. */
int clinux_clone(int from, int to);
void clinux_name_thread(const char *name);
/* pthread_cond_clockwait(3) with CLOCK_MONOTONIC; returns 0 or ETIMEDOUT. */
int clinux_wait(void *condition, void *mutex, int64_t nanoseconds);
/* mallopt(3): limits the number of heaps and the free bytes at the end of each; blocks of at least `mapped`
   bytes are outside of the heaps, and leave no gaps there when they are freed. */
void clinux_limit_memory(int heaps, int mapped, int kept);
int clinux_syncfs(int descriptor);
/* sync_file_range(2): starts to write the file, and does not wait. */
void clinux_start_writing(int descriptor);
/* memmem(3): the offset of `sought` in `text`, or -1. */
ssize_t clinux_find(const void *text, size_t size, const void *sought, size_t length);
/* malloc_trim(3). */
void clinux_trim(void);

int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size);
ssize_t clinux_get_attribute(int descriptor, const char *name, void *value, size_t size);

int clinux_eventfd(void);
/* timerfd_create(2); reading the timer does not block. */
int clinux_timer(int clock);
/* Lets a timer of CLOCK_REALTIME end at a time since 1970; when the clock is set, reading it fails with ECANCELED. */
int clinux_wall_timer_set(int timer, int64_t seconds);
/* Lets a timer end after so many nanoseconds; 0 stops it. */
int clinux_timer_set(int timer, int64_t nanoseconds);
/* Whether this process ignores the signal, such as SIGHUP after nohup(1). */
int clinux_is_ignored(int signal);
/* Blocks the signals in this thread and returns a descriptor that receives them; see signalfd(2). */
int clinux_signalfd(const int *signals, size_t count);
/* Returns the next signal, or -1. */
int clinux_signalfd_read(int descriptor);

/* Sends a datagram to a unix(7) socket; an address that begins with @ is abstract. If the receiver's queue
   is full, waits for the given time, less than a second, then fails with EAGAIN. */
int clinux_send_datagram(
    const char *address, size_t length, const void *bytes, size_t count, int microseconds);

/* The modification time of the program in seconds since 1970; 0 if it is unknown. */
long long clinux_program_time(void);

/* F_OFD_SETLK of fcntl(2): a lock that other processes can test without acquiring it. */
int clinux_lock_visibly(int descriptor);
/* Releases that lock, even if a child process has a copy of the descriptor. */
int clinux_unlock_visibly(int descriptor);
/* F_OFD_GETLK of fcntl(2): returns 1 if another open file has that lock, else 0; -1 on failure. */
int clinux_is_locked_visibly(int descriptor);

/* Sets two numbers to the seconds and nanoseconds at which the file was created, see statx(2), and returns 1; if the
   file system has no such time, to its type and ID, see statfs(2), and returns 0. */
int clinux_origin(int descriptor, uint64_t *numbers);

/* pidfd_open(2). */
int clinux_pidfd(pid_t process);
/* pipe2(2) with O_CLOEXEC; only reading is nonblocking. */
int clinux_pipe(int ends[2]);

#endif
