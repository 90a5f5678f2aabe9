#ifndef CLINUX_CONFINE_H
#define CLINUX_CONFINE_H

/* The sandbox of a child process such as apod-mirror-thumbnailer, and messages by which it gets open files. If a comment does
   not say otherwise, the functions return -1 on failure, and set errno. */

#include <stddef.h>
#include <unistd.h>

/* setrlimit(2) for the soft and the hard limit of this process. A lower hard limit stays, because only root may raise it. */
int clinux_limit(int resource, unsigned long most);
/* Lets the process `pid` get SIGXCPU after it has used `seconds` more of processor time, or at its hard limit, which stays. */
int clinux_limit_processor(pid_t pid, unsigned long seconds);
/* prctl(2): this process gets no new privileges, writes no core dumps, and gets SIGKILL when its parent ends. */
int clinux_give_up_privileges(void);
/* seccomp(2): from now on, this process may compute, read and write its open files, and receive messages. All other system
   calls fail with EPERM. */
int clinux_install_seccomp_filter(void);

/* Starts the program at `path` with the arguments `words`, whose first one is its name, and the environment `variables`.
   - `streams` are the descriptors that become its standard input, output and error; -1 stands for /dev/null.
   - `directory` is its working directory; NULL leaves that of this process.
   - If `own_group` is not 0, it gets a process group of its own.
   All other files are closed, and signals have their default actions. It gets SIGTERM when the calling thread ends, see
   PR_SET_PDEATHSIG in prctl(2). */
int clinux_spawn(
    pid_t *pid, const char *path, char *const *words, char *const *variables, const int *streams,
    const char *directory, int own_group);

/* Sends one message with two descriptors, see unix(7). */
ssize_t clinux_send(int socket, const void *bytes, size_t count, const int *files);
/* Receives one message with two descriptors, which get O_CLOEXEC. Fails with EPROTO for another number of descriptors; 0 means
   that the sender has closed its socket. */
ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files);

#endif
