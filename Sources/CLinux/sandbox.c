// Locks this process into a sandbox: limits, privileges, and a filter of system calls, which is a program of BPF; see seccomp(2).
#include "clinux.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

int clinux_limit(int resource, unsigned long maximum) {
    struct rlimit limit;
    if (getrlimit(resource, &limit)) return -1;
    if (maximum < limit.rlim_max) limit.rlim_max = maximum;
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
    // The limit has whole seconds. A part of a second that was used counts as one.
    limit.rlim_cur = (rlim_t)used.tv_sec + 1 + seconds;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return prlimit(pid, RLIMIT_CPU, &limit, NULL);
}

int clinux_give_up_privileges(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return -1;
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the seccomp filter supports x86-64 and AArch64; add the constant of this architecture"
#endif

/* The instructions of the filter. A jump has two numbers at its end: how many instructions it skips if its condition is true, and
   how many if it is false. */
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)
/* Refuses a call whose argument has other bits than `bits`. Only the lower 32 bits are checked, because the upper ones mean
   nothing. */
#define REFUSE_UNLESS_AMONG(argument, bits) \
    LOAD(args[argument]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, ~(uint32_t)(bits), 0, 1), REFUSE
/* The number of instructions. */
#define COUNT(...) (sizeof(struct sock_filter[]){__VA_ARGS__} / sizeof(struct sock_filter))
/* Executes the instructions `...` for this system call, and skips them for any other. */
#define FOR_CALL(call, ...) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, COUNT(__VA_ARGS__)), __VA_ARGS__
#define ALLOW(call) FOR_CALL(call, ANSWER(SECCOMP_RET_ALLOW))

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
        // Only memory that RLIMIT_DATA counts, so neither shared memory nor a stack, see getrlimit(2); and none is executable.
        FOR_CALL(
            mmap, REFUSE_UNLESS_AMONG(2, PROT_READ | PROT_WRITE),
            REFUSE_UNLESS_AMONG(3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE),
            ANSWER(SECCOMP_RET_ALLOW)),
        FOR_CALL(
            mprotect, REFUSE_UNLESS_AMONG(2, PROT_READ | PROT_WRITE), ANSWER(SECCOMP_RET_ALLOW)),
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
