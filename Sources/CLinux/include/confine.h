#ifndef CLINUX_CONFINE_H
#define CLINUX_CONFINE_H

/* The sandbox of a child process, and messages with descriptors. */

#include <stddef.h>
#include <unistd.h>

/* setrlimit(2) for the soft and the hard limit. A lower hard limit stays, because only root may raise it. */
int clinux_limit(int resource, unsigned long most);
/* Lets `pid` get SIGXCPU after so many more seconds of processor time, or at its hard limit, which stays. */
int clinux_limit_processor(pid_t pid, unsigned long seconds);
/* prctl(2): no new privileges, no core dumps, SIGKILL at the end of the parent. */
int clinux_give_up_privileges(void);
/* seccomp(2): from now on the process may compute, read and write its open files and receive messages. All
   other system calls fail with EPERM. */
int clinux_install_seccomp_filter(void);

/* Starts `path` with the arguments `words`, in `directory` if that is not NULL. `streams` become its standard input, output
   and error, where -1 is /dev/null; all other files are closed. Signals have their default actions. `own_group` starts a
   process group for it. It gets SIGTERM when the calling thread ends, see PR_SET_PDEATHSIG in prctl(2). */
int clinux_spawn(
    pid_t *pid, const char *path, char *const *words, char *const *variables, const int *streams,
    const char *directory, int own_group);

/* send(2) and recv(2) of one message with two descriptors, see unix(7). */
ssize_t clinux_send(int socket, const void *bytes, size_t count, const int *files);
/* Fails with EPROTO for another number of descriptors. The descriptors have O_CLOEXEC. */
ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files);

#endif
