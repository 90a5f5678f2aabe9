#ifndef CLINUX_H
#define CLINUX_H

/* Linux functions that Swift's Glibc module lacks, for the module Platform and for the thumbnailer. Most are named after the
   call that they make. If a comment does not say otherwise, they return -1 on failure, and set errno. */

#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* This process */

/* The arguments of this process as execve(2) passed them, its own name first; `index` must be less than the count. */
int clinux_argument_count(void);
const char *clinux_argument(int index);
/* The modification time of this program in seconds since 1970; 0 if it is unknown. */
long long clinux_program_time(void);
/* Names this thread for top(1); see pthread_setname_np(3). */
void clinux_name_thread(const char *name);
/* pthread_cond_clockwait(3) until a time of CLOCK_MONOTONIC; returns 0 or ETIMEDOUT. */
int clinux_cond_wait(void *condition, void *mutex, int64_t nanoseconds);

/* Child processes: see spawn.c */

/* posix_spawn(3): starts the program at `path` with the arguments `words`, whose first one is its name, and the environment
   `variables`. Signals have their default actions.
   - `streams` are the descriptors that become its standard input, output and error; -1 stands for /dev/null. All other files
     are closed.
   - `directory` is its working directory; NULL leaves that of this process.
   - If `own_group` is not 0, it gets a process group of its own. */
int clinux_spawn(
    pid_t *pid, const char *path, char *const *words, char *const *variables, const int *streams,
    const char *directory, int own_group);

/* The sandbox of apod-mirror-thumbnailer, the program that decodes pictures: see sandbox.c */

/* setrlimit(2) for the soft and the hard limit of this process. A lower hard limit stays, because only root may raise it. */
int clinux_limit(int resource, unsigned long maximum);
/* Lets the process `pid` get SIGXCPU after it has used `seconds` more of processor time, or at its hard limit, which stays. */
int clinux_limit_processor(pid_t pid, unsigned long seconds);
/* prctl(2): this process gets no new privileges, writes no core dumps, and gets SIGKILL when its parent ends. */
int clinux_give_up_privileges(void);
/* seccomp(2): from now on, this process may compute, read and write its open files, and receive messages. All other system
   calls fail with EPERM. */
int clinux_install_seccomp_filter(void);

/* Messages through sockets of unix(7): see messages.c */

/* Sends one message with two descriptors, see unix(7). */
ssize_t clinux_send(int socket, const void *bytes, size_t count, const int *files);
/* Receives one message with two descriptors, which get O_CLOEXEC. Fails with EPROTO for another number of descriptors; 0 means
   that the sender has closed its socket. */
ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files);
/* Sends a datagram to a socket. An address that begins with @ is abstract. If the receiver's queue is full, waits for 0.9
   seconds, and then fails with EAGAIN. */
int clinux_send_datagram(const char *address, size_t length, const void *bytes, size_t count);

/* Memory */

/* mallopt(3): limits the number of heaps to `heaps`, and the free bytes at the end of each to `kept`. Blocks of at least
   `mapped` bytes are outside of the heaps, so that they leave no gaps there when they are freed. */
void clinux_limit_memory(int heaps, int mapped, int kept);
/* malloc_trim(3): returns free memory to the system. */
void clinux_malloc_trim(void);
/* memmem(3), but returns the offset of `sought` in `text`, or -1; does not set errno. */
ssize_t clinux_memmem(const void *text, size_t size, const void *sought, size_t length);

/* Paths: see beneath.c */

/* Opens a path beneath `directory` by openat2(2), which follows no symbolic link. If `enters_mounts` is 0, a path into a mount
   fails with EXDEV, and nothing is asked of the mount, which may never answer. */
int clinux_open_beneath(
    int directory, const char *path, int flags, unsigned mode, int enters_mounts);
/* The same for a kernel or a sandbox without openat2(2): opens one directory after the other. A path with an empty part or
   with ".." fails with EXDEV. */
int clinux_open_by_steps(
    int directory, const char *path, int flags, unsigned mode, int enters_mounts);
/* Returns 1 if a file system is mounted at `name` in `directory`; 0 if not, and if that is not known, as before Linux 5.8. */
int clinux_is_mount(int directory, const char *name);
/* fstatat(2) into a struct stat; for a link, the status is that of the link itself. If `enters_mounts` is 0, fails with EXDEV
   for a mount. */
int clinux_status(int directory, const char *name, void *status, int enters_mounts);

/* Files */

/* memfd_create(2): creates a file without a path, in memory. */
int clinux_memfd_create(const char *name);
/* renameat2(2) with RENAME_NOREPLACE: fails with EEXIST if the new name exists. */
int clinux_rename_noreplace(int from, const char *old_name, int to, const char *new_name);
/* ioctl_ficlone(2): lets the file `to` share the blocks of the file `from`. */
int clinux_ficlone(int from, int to);
/* syncfs(2). */
int clinux_syncfs(int descriptor);
/* Starts to write the file to the disk, without waiting; see sync_file_range(2). */
void clinux_start_writing(int descriptor);
/* fsetxattr(2) and fgetxattr(2): the extended attribute `name`. */
int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size);
ssize_t clinux_get_attribute(int descriptor, const char *name, void *value, size_t size);
/* statx(2): when the file was created. Returns -1 without an error if the file system does not record that. */
int clinux_creation_time(int descriptor, struct timespec *time);
/* fstatfs(2): the type and the ID of the file system. */
int clinux_file_system(int descriptor, uint64_t *type, uint64_t *id);

/* Locks of open file descriptions, see F_OFD_SETLK in fcntl(2): another process can ask for them without taking them. */

int clinux_ofd_lock(int descriptor);
/* Releases the lock, even if a child process has a copy of the descriptor. */
int clinux_ofd_unlock(int descriptor);
/* Returns 1 if the file has such a lock by another descriptor, and 0 if it has none. */
int clinux_ofd_is_locked(int descriptor);

/* Events; no read of these descriptors blocks */

/* eventfd(2). */
int clinux_eventfd(void);
/* pipe2(2): `ends[0]` is for reading, and `ends[1]` for writing, which blocks while the pipe is full. */
int clinux_pipe(int ends[2]);
/* timerfd_create(2) for a clock such as CLOCK_BOOTTIME. */
int clinux_timer(int clock);
/* Lets a timer end after so many `nanoseconds`; 0 stops it. */
int clinux_timer_set(int timer, int64_t nanoseconds);
/* Lets a timer of CLOCK_REALTIME end so many `seconds` after the beginning of 1970. If somebody sets the clock before that,
   the timer can be read, too, and the read fails with ECANCELED. */
int clinux_wall_timer_set(int timer, int64_t seconds);
/* Returns 1 if this process ignores the signal, as SIGHUP after nohup(1), else 0. */
int clinux_is_ignored(int signal);
/* Blocks the signals in this thread, and returns a descriptor that receives them; see signalfd(2). */
int clinux_signalfd(const int *signals, size_t count);
/* Returns the number of the next signal, or -1 if there is none. */
int clinux_signalfd_read(int descriptor);

#endif
