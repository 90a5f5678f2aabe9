// Starts child processes, and locks one of them into a sandbox: the filter of system calls is a program of BPF, see seccomp(2).
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the seccomp filter supports x86-64 and AArch64; add the constant of this architecture"
#endif

/* The instructions of the filter. A jump skips as many instructions as its last two numbers say: the first if its condition is
   true, and the second if it is false. */
#define LOAD(field) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define UNLESS_EQUAL(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define ALLOW(call) UNLESS_EQUAL(SYS_##call, 1), ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)
/* Refuses a call whose argument has other bits than `bits`. Only the lower 32 bits are checked,
   because the upper ones mean nothing. */
#define REFUSE_UNLESS_AMONG(argument, bits)                                     \
    LOAD(args[argument]),                                                       \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, ~(uint32_t)(bits), 0, 1), REFUSE
/* Allows a call for memory that is not executable, as the third argument says. */
#define ALLOW_WITHOUT_EXEC(call)                                                \
    UNLESS_EQUAL(SYS_##call, 4), REFUSE_UNLESS_AMONG(2, PROT_READ | PROT_WRITE), \
        ANSWER(SECCOMP_RET_ALLOW)
/* Allows only memory that RLIMIT_DATA counts, and so neither shared memory nor a stack, see getrlimit(2). */
#define ALLOW_PRIVATE_MMAP                                                      \
    UNLESS_EQUAL(SYS_mmap, 7), REFUSE_UNLESS_AMONG(2, PROT_READ | PROT_WRITE),  \
        REFUSE_UNLESS_AMONG(3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE), \
        ANSWER(SECCOMP_RET_ALLOW)

int clinux_install_seccomp_filter(void) {
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        ALLOW(read),
        ALLOW(write),
        ALLOW(recvmsg),
        ALLOW(close),
        ALLOW(lseek),
        ALLOW_PRIVATE_MMAP,
        ALLOW_WITHOUT_EXEC(mprotect),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(madvise),
        ALLOW(brk),
        ALLOW(futex),
        ALLOW(getrandom),
        ALLOW(clock_gettime),
        ALLOW(exit),
        ALLOW(exit_group),
        REFUSE,
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int clinux_limit(int resource, unsigned long most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit)) return -1;
    if (most < limit.rlim_max) limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit);
}

int clinux_limit_processor(pid_t pid, unsigned long seconds) {
    clockid_t clock;
    struct timespec used;
    int code = clock_getcpuclockid(pid, &clock);
    if (code) {
        errno = code;
        return -1;
    }
    if (clock_gettime(clock, &used)) return -1;
    struct rlimit limit;
    if (prlimit(pid, RLIMIT_CPU, NULL, &limit)) return -1;
    // The part of a second that was used is rounded up.
    limit.rlim_cur = (rlim_t)used.tv_sec + 1 + seconds;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return prlimit(pid, RLIMIT_CPU, &limit, NULL);
}

int clinux_give_up_privileges(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return -1;
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/* Runs the program in the child of vfork(2), which shares the memory of the parent: only the calls of signal-safety(7) are
   allowed. Returns only on failure. */
static void become(
    pid_t parent, const char *path, char *const *words, char *const *variables,
    const int *streams) {
    /* A structure of zeros means SIG_DFL. It is a direct system call, because the sigaction(3) of a sanitizer would write into
       the memory that is shared with the parent. */
    static const unsigned long defaults[4];
    for (int number = 1; number < NSIG; number++)
        syscall(SYS_rt_sigaction, number, defaults, NULL, 8);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = 0; stream < 3; stream++)
        if (dup2(streams[stream] < 0 ? null : streams[stream], stream) < 0) return;
    if (syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC) && errno != ENOSYS) return;
    if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0)) return;
    /* If the parent ended before that call, the signal never comes. */
    if (getppid() != parent) {
        errno = ESRCH;
        return;
    }
    static const unsigned long no_signals;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, 8);
    execve(path, words, variables);
}

int clinux_spawn(
    pid_t *pid, const char *path, char *const *words, char *const *variables, const int *streams,
    const char *directory, int own_group) {
    // The child writes the number of its error here, because it shares the memory of this process until execve(2).
    volatile int code = 0;
    pid_t parent = getpid();
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    pid_t child = vfork();
    if (child == 0) {
        if ((!own_group || setpgid(0, 0) == 0) && (!directory || chdir(directory) == 0))
            become(parent, path, words, variables, streams);
        code = errno;
        _exit(127);
    }
    if (child < 0) code = errno;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (child > 0 && code)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    *pid = child;
    errno = code;
    return code ? -1 : 0;
}

/* The number of descriptors in a message. */
#define FILES 2

/* The control data of a message; see cmsg(3). There is room for twice as many descriptors, so that a wrong one is noticed. */
union control {
    char bytes[CMSG_SPACE(2 * FILES * sizeof(int))];
    struct cmsghdr header;
};

ssize_t clinux_send(int socket, const void *bytes, size_t count, const int *files) {
    union control control = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
        .msg_controllen = CMSG_SPACE(FILES * sizeof(int))};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(FILES * sizeof(int));
    memcpy(CMSG_DATA(&control.header), files, FILES * sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files) {
    union control control = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes};
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count <= 0) return count;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    size_t found = 0;
    if (header && header->cmsg_type == SCM_RIGHTS) {
        found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        int *numbers = (int *)CMSG_DATA(header);
        for (size_t i = 0; i < found; i++)
            if (found == FILES) files[i] = numbers[i];
            else close(numbers[i]);
    }
    return found == FILES ? count : (errno = EPROTO, -1);
}
