/* syscalls.c - a seccomp filter. */
#include "syscalls.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "base/banned.h"

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef OUR_ARCH

static const uint32_t allowed[] = {
    __NR_read,           __NR_write,        __NR_writev,
    __NR_lseek,          __NR_close,        __NR_fstat,
    __NR_newfstatat,     __NR_brk,          __NR_mmap,
    __NR_munmap,         __NR_mremap,       __NR_mprotect,
    __NR_madvise,        __NR_futex,        __NR_clock_gettime,
    __NR_getrandom,      __NR_sched_yield,  __NR_getpid,
    __NR_gettid,         __NR_tgkill,       __NR_rt_sigaction,
    __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_restart_syscall,
    __NR_exit,           __NR_exit_group,
};
enum { CALLS = sizeof allowed / sizeof *allowed };

/* "If it is this system call, allow it; otherwise continue." On another
 * architecture the numbers mean something else, so it is refused. */
bool syscalls_of_a_reader(void)
{
    struct sock_filter program[2 * CALLS + 5];
    unsigned short n = 0;
    program[n++] = (struct sock_filter)BPF_STMT(
        BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    program[n++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0);
    program[n++] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    program[n++] = (struct sock_filter)BPF_STMT(
        BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < CALLS; i++) {
        program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                    allowed[i], 0, 1);
        program[n++] =
            (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                                SECCOMP_RET_ERRNO | EPERM);
    struct sock_fprog whole = {n, program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

#else

bool syscalls_of_a_reader(void)
{
    return false;
}

#endif
