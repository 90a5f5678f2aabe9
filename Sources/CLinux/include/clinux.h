#ifndef CLINUX_H
#define CLINUX_H

/* The Linux calls that Swift's Glibc module lacks. Each answers as its manual page says: -1 and errno. */

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "confine.h"

/* openat2(2), beneath `directory`, through no symbolic link at all. */
int clinux_open_beneath(int directory, const char *path, int flags, unsigned mode);
/* The same without openat2(2): one folder after the other. A path has no empty part and no "..". */
int clinux_open_by_steps(int directory, const char *path, int flags, unsigned mode);
/* O_TMPFILE of open(2): an empty file without a name, which ends with its descriptor. */
int clinux_open_unnamed(int directory);
/* memfd_create(2). */
int clinux_open_in_memory(const char *name);
/* renameat2(2): fails with EEXIST rather than replace. */
int clinux_rename_noreplace(int from, const char *old_name, int to, const char *new_name);
/* renameat2(2): each name has what the other had, in one step. */
int clinux_exchange(int from, const char *old_name, int to, const char *new_name);
/* FICLONE of ioctl_ficlone(2): `to` shares the blocks of `from`. */
int clinux_clone(int from, int to);
void clinux_name_thread(const char *name);
/* pthread_cond_clockwait(3) of a pthread_cond_t and a pthread_mutex_t by CLOCK_MONOTONIC: 0, or ETIMEDOUT once
   the moment has come. */
int clinux_wait(void *condition, void *mutex, int64_t nanoseconds);
/* mallopt(3): threads share so many heaps, each of which keeps so many free bytes at its end. */
void clinux_limit_memory(int heaps, int kept);
int clinux_syncfs(int descriptor);
/* memmem(3): whether the second text stands in the first. */
int clinux_contains(const void *text, size_t size, const void *sought, size_t length);
/* malloc_trim(3). */
void clinux_trim(void);

int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size);
ssize_t clinux_get_attribute(int descriptor, const char *name, void *value, size_t size);

int clinux_eventfd(void);
/* A timer on CLOCK_REALTIME, absolute; reading it fails with ECANCELED when the clock is set. */
int clinux_wall_timer(void);
int clinux_wall_timer_set(int timer, int64_t seconds, int64_t nanoseconds);
/* Blocks the signals that are not zero in this thread and delivers them to the descriptor. */
int clinux_signalfd(const int *signals, size_t count);
/* The next signal, or -1. */
int clinux_signalfd_read(int descriptor);

/* Sends one datagram to a socket of unix(7); an address that begins with @ is an abstract one. It waits
   for a receiver that is behind for less than a second, and fails with EAGAIN then. */
int clinux_send_datagram(
    const char *address, size_t length, const void *bytes, size_t count, int microseconds);

/* The width of the terminal at `descriptor`, 0 where there is none. */
int clinux_terminal_columns(int descriptor);
/* The height, likewise. */
int clinux_terminal_rows(int descriptor);
/* Writes `question` to the terminal and reads its answer, up to the byte `last`, for so long at most.
   The terminal echoes nothing meanwhile, and is afterwards as it was. A process in the background,
   which could not ask without being stopped, gets EAGAIN. */
ssize_t clinux_ask_terminal(
    int terminal, const char *question, char last, char *answer, size_t size, int milliseconds);

/* The words of the command line, as the C library has them. */
int clinux_argument_count(void);
/* NULL beyond the last. */
const char *clinux_argument(int index);
/* AT_EXECFN of getauxval(3): the path that this program was started by. */
const char *clinux_program(void);
/* When its file was modified, in seconds since 1970; 0 where nobody can tell. */
long long clinux_program_time(void);

/* F_OFD_SETLK and F_OFD_GETLK of fcntl(2): a lock on the file, which others can see without taking it. */
int clinux_lock_visibly(int descriptor);
/* 1 where another description of the file is locked visibly, else 0; -1 on failure. */
int clinux_is_locked_visibly(int descriptor);

/* When the file was made, see statx(2); fails with ENOTSUP where the file system does not know. */
int clinux_birth(int descriptor, int64_t *seconds, uint32_t *nanoseconds);
/* The type and the number of the file system, see statfs(2). */
int clinux_file_system(int descriptor, uint64_t *type, uint64_t *number);

/* Whether the `count` paths, each ended by a zero, lead to something: '+', or '-' where nothing is there.
   A child process follows them, because a dead mount blocks whoever asks. It is given so long for each.
   What is missing directly in /home, /tmp and the like counts as there where a mount other than that of the
   path `own` may hide it from this process alone.

   Returns how many were answered, -1 where there is no child. A child that could not be ended is `stuck`. */
ssize_t clinux_probe(
    char *paths, size_t count, const char *own, char *answers, int milliseconds, pid_t *stuck);
/* Whether a child has ended; it is reaped then. */
int clinux_has_ended(pid_t child);

/* pidfd_open(2). */
int clinux_pidfd(pid_t process);

#endif
