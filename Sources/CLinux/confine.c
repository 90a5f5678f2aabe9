#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the seccomp filter supports x86-64 and AArch64; add the constant of this architecture"
#endif

#define LOAD(field) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define UNLESS_EQUAL(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define ALLOW(call) UNLESS_EQUAL(SYS_##call, 1), ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)
/* Refuses a call whose argument has a bit outside of `bits`; checks the lower 32 bits. */
#define REFUSE_UNLESS_AMONG(argument, bits)                                     \
    LOAD(args[argument]),                                                       \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, ~(uint32_t)(bits), 0, 1), REFUSE
/* Allows memory that is not executable; `prot` is the third argument. */
#define ALLOW_WITHOUT_EXEC(call)                                                \
    UNLESS_EQUAL(SYS_##call, 4), REFUSE_UNLESS_AMONG(2, PROT_READ | PROT_WRITE), \
        ANSWER(SECCOMP_RET_ALLOW)
/* Allows memory that RLIMIT_DATA counts: neither shared memory nor a stack, see getrlimit(2). */
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
    struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
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
    struct rlimit limit = {
        .rlim_cur = (rlim_t)used.tv_sec + 1 + seconds, .rlim_max = RLIM_INFINITY};
    return prlimit(pid, RLIMIT_CPU, &limit, NULL);
}

int clinux_set_parent_death_signal(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return -1;
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

static void describe(
    posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int socket) {
    posix_spawn_file_actions_adddup2(actions, socket, 0);
    posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(actions, 3);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

int clinux_spawn(pid_t *pid, const char *path, char *const *words, int socket) {
    char *const no_environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    describe(&actions, &attributes, socket);
    int code = posix_spawn(pid, path, &actions, &attributes, words, no_environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    errno = code;
    return code ? -1 : 0;
}

/* The maximum number of descriptors in a message. */
#define FILES 4

ssize_t clinux_send(
    int socket, const void *bytes, size_t count, const int *files, size_t file_count) {
    union {
        char bytes[CMSG_SPACE(FILES * sizeof(int))];
        struct cmsghdr header;
    } control = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (file_count > FILES) return errno = EINVAL, -1;
    if (file_count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(file_count * sizeof(int));
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(file_count * sizeof(int));
        memcpy(CMSG_DATA(&control.header), files, file_count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files, size_t file_count) {
    union {
        char bytes[CMSG_SPACE(FILES * sizeof(int))];
        struct cmsghdr header;
    } control = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
        .msg_controllen = file_count ? sizeof control.bytes : 0};
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count <= 0) return count;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    size_t found = 0;
    if (header && header->cmsg_type == SCM_RIGHTS) {
        found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        int *numbers = (int *)CMSG_DATA(header);
        for (size_t i = 0; i < found; i++)
            if (found == file_count) files[i] = numbers[i];
            else close(numbers[i]);
    }
    return found == file_count ? count : (errno = EPROTO, -1);
}
