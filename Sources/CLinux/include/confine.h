#ifndef CLINUX_CONFINE_H
#define CLINUX_CONFINE_H

/* What a process gives up, and open files that are handed from process to process. */

#include <stddef.h>
#include <unistd.h>

/* setrlimit(2), both limits at once. */
int clinux_limit(int resource, unsigned long most);
/* The processor time that the process `pid` may use from now on until SIGXCPU, in seconds. */
int clinux_limit_processor(pid_t pid, unsigned long seconds);
/* prctl(2): no new privileges, no dumps, and the end with the parent. */
int clinux_set_parent_death_signal(void);
/* seccomp(2): from now on the process computes, reads and writes what it has open, and takes messages.
   All else fails with EPERM, for good. */
int clinux_install_seccomp_filter(void);

/* posix_spawn(3) of `path` with an empty environment: `socket` becomes its standard input, the other two
   lead nowhere, all else is closed; signals are as a process has them at first, the group is its own. */
int clinux_spawn(pid_t *pid, const char *path, char *const *words, int socket);

/* send(2) and recv(2) of one message with `file_count` descriptors, see unix(7). */
ssize_t clinux_send(
    int socket, const void *bytes, size_t count, const int *files, size_t file_count);
/* What comes without or with another number of descriptors is EPROTO; they are closed on exec. */
ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files, size_t file_count);

#endif
