// The system calls that untrusted children are refused.
#pragma once

#include <cstdint>

#include "sandbox/newer_calls.hpp"

namespace noctune {

// Every call above this one is unknown to these lists.
inline constexpr std::uint32_t newest_call = 469;

inline constexpr long denied_to_all[] = {
    // other processes' memory, descriptors and state
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_pidfd_getfd,
    SYS_kcmp,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_ioprio_set,
    // leaving the supervised group; the supervisor finds those who do, this spares it the search
    SYS_setsid,
    SYS_setpgid,
    // namespaces and mounts
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_open_tree_attr,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_quotactl,
    SYS_swapon,
    SYS_swapoff,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
    // a second way to make system calls, past this filter
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    // keys
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    // the kernel and the machine; refused to users anyway, but Noctune may run as root
    SYS_bpf,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_syslog,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
#endif
    // shared memory that is found by number: MPI's lies open to all processes of the user
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semctl,
    SYS_semop,
    SYS_semtimedop,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
#ifdef SYS_ipc
    SYS_ipc,
#endif
    // the network
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
#ifdef SYS_socketcall
    SYS_socketcall,
#endif
};

// A GPU's run-time library makes Unix sockets and listens there; it connects to none.
inline constexpr long allowed_on_gpus[] = {SYS_socket, SYS_bind, SYS_listen};

// A profiler's processes talk through Unix sockets and wait for ever where they cannot connect.
inline constexpr long allowed_to_profilers[] = {SYS_socket,  SYS_bind,    SYS_listen, SYS_accept,
                                                SYS_accept4, SYS_connect, SYS_sendto, SYS_sendmsg};

inline constexpr long denied_to_candidates[] = {SYS_socketpair,
// new processes; clone is judged by its flags
#ifdef SYS_fork
                                                SYS_fork, SYS_vfork,
#endif
                                                // signals by other means than to a known pid
                                                SYS_tkill, SYS_pidfd_open, SYS_pidfd_send_signal,
                                                // memory that no limit on private memory counts
                                                SYS_memfd_create, SYS_memfd_secret};

// Their first argument is a process, 0 for the caller.
inline constexpr long calls_on_a_process[] = {SYS_prlimit64,     SYS_sched_setscheduler, SYS_sched_setparam,
                                              SYS_sched_setattr, SYS_migrate_pages,      SYS_move_pages};

}  // namespace noctune
