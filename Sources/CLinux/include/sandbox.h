#ifndef CLINUX_SANDBOX_H
#define CLINUX_SANDBOX_H

/* The sandbox of apod-mirror-thumbnailer, the program that decodes pictures. The functions return -1 on failure, and set errno. */

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

#endif
