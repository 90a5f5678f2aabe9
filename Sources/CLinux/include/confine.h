#ifndef CLINUX_CONFINE_H
#define CLINUX_CONFINE_H

/* The sandbox of a child process, and messages with descriptors. */

#include <stddef.h>
#include <unistd.h>

/* setrlimit(2) for both the soft and the hard limit. A lower hard limit stays: only root may raise one. */
int clinux_limit(int resource, unsigned long most);
/* Sets the processor time in seconds after which `pid` gets SIGXCPU, counted from now; at most its hard limit,
   which stays. */
int clinux_limit_processor(pid_t pid, unsigned long seconds);
/* prctl(2): no new privileges, no core dumps, SIGKILL at the end of the parent. */
int clinux_set_parent_death_signal(void);
/* seccomp(2): from now on the process may compute, read and write its open files and receive messages. All
   other system calls fail with EPERM. */
int clinux_install_seccomp_filter(void);

/* Starts `path` with these variables; `streams` become its standard input, output and error, -1 is /dev/null,
   and all else is closed. Signals have their default actions. `own_group`: in a process group of its own; it works in
   `directory`, if that is not NULL.
   It gets SIGTERM when the calling thread ends, see PR_SET_PDEATHSIG in prctl(2). */
int clinux_spawn(
    pid_t *pid, const char *path, char *const *words, char *const *variables, const int *streams,
    const char *directory, int own_group);

/* send(2) and recv(2) of one message with two descriptors, see unix(7). */
ssize_t clinux_send(int socket, const void *bytes, size_t count, const int *files);
/* Fails with EPROTO for another number of descriptors. The descriptors have O_CLOEXEC. */
ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files);

#endif
