#include "evaluator/system_names.hpp"

#include <algorithm>
#include <array>

namespace noctune {
namespace {

struct Group {
  const char* subject;
  std::string_view names;  // separated by blanks
};

constexpr Group forbidden[] = {
    {"files",
     "open openat creat fopen freopen fdopen fopencookie fread fwrite fgets fgetc getc fputs fputc putc "
     "fscanf "
     "fprintf vfprintf getline getdelim read pread readv preadv write pwrite writev pwritev lseek close dup "
     "dup2 dup3 fcntl ioctl sendfile splice tee vmsplice copy_file_range unlink unlinkat remove rename "
     "renameat renameat2 link linkat symlink symlinkat truncate ftruncate fallocate mkdir mkdirat rmdir "
     "opendir fdopendir readdir scandir nftw ftw glob wordexp stat fstat lstat fstatat statx xstat fxstat "
     "lxstat access faccessat readlink readlinkat realpath chdir fchdir chroot getcwd chmod fchmod chown "
     "fchown mknod mkfifo mkstemp mkostemp mkdtemp mktemp tmpfile tmpnam tempnam memfd_create shm_open "
     "shm_unlink name_to_handle_at open_by_handle_at inotify_init inotify_init1 fanotify_init umask stdin"},
    {"processes",
     "syscall fork vfork clone clone3 execve execv execvp execvpe execl execlp execle fexecve execveat "
     "system "
     "popen pclose posix_spawn posix_spawnp daemon wait waitpid waitid wait3 wait4 kill killpg tgkill "
     "pthread_kill pthread_sigqueue sigqueue raise signal sigaction sigaltstack sigprocmask pthread_sigmask "
     "sigsuspend signalfd bsd_signal sysv_signal sigset ssignal ptrace process_vm_readv process_vm_writev "
     "process_madvise pidfd_open pidfd_getfd pidfd_send_signal prctl arch_prctl personality seccomp unshare "
     "setns mount umount pivot_root setuid setgid setsid setpgid exit _exit Exit quick_exit atexit on_exit "
     "at_quick_exit cxa_at_quick_exit setrlimit prlimit setpriority nice pipe pipe2 eventfd mq_open msgget "
     "semget sem_open reboot"},
    {"sockets",
     "socket socketpair connect bind listen accept accept4 send sendto sendmsg sendmmsg recv recvfrom "
     "recvmsg "
     "recvmmsg getaddrinfo gethostbyname gethostbyaddr getnameinfo res_init res_query"},
    {"clocks",
     "clock_gettime clock_getres clock_settime clock_nanosleep gettimeofday settimeofday time times ftime "
     "clock timespec_get getrusage omp_get_wtime omp_get_wtick nanosleep usleep sleep thrd_sleep alarm "
     "ualarm "
     "setitimer getitimer timer_create timer_settime timerfd_create adjtimex poll ppoll select pselect "
     "epoll_create epoll_create1 epoll_wait"},
    {"threads beside OpenMP's",
     "pthread_create thrd_create pthread_atfork register_atfork sched_setaffinity sched_setscheduler "
     "sched_setattr sched_setparam pthread_setaffinity pthread_setschedparam pthread_attr_setaffinity "
     "numa_run_on_node set_mempolicy mbind"},
    {"the loader",
     "dlopen dlmopen dlsym dlvsym dladdr dladdr1 dlinfo dl_iterate_phdr dl_find_object r_debug "
     "libc_stack_end "
     "dlopen_mode dlsym_mode"},
    {"the environment",
     "getenv secure_getenv setenv unsetenv putenv clearenv environ getauxval program_invocation_name "
     "program_invocation_short_name progname progname_full"},
    {"memory mappings",
     "mmap munmap mremap mprotect pkey_mprotect pkey_alloc pkey_set madvise posix_madvise mincore mlock "
     "mlock2 mlockall remap_file_pages userfaultfd brk sbrk shmat shmdt shmget mallopt malloc_trim"},
    {"OpenMP's settings, which outlive the call (use clauses instead)",
     "omp_set_num_threads omp_set_dynamic omp_set_schedule omp_set_nested omp_set_max_active_levels "
     "omp_set_num_teams omp_set_teams_thread_limit omp_set_default_device omp_set_affinity_format "
     "omp_pause_resource omp_pause_resource_all kmp_set_blocktime kmp_set_affinity kmp_set_defaults"},
    {"the processor's arithmetic settings",
     "fesetround fesetenv feupdateenv feholdexcept fesetmode fesetexceptflag feenableexcept fedisableexcept "
     "setfpucw fpu_control"},
    {"chance", "getrandom getentropy arc4random"},
};

// The same of the C++ library, by the start of the mangled name.
struct Start {
  const char* subject;
  std::string_view start;
};
constexpr Start forbidden_starts[] = {
    {"clocks", "_ZNSt6chrono"},
    {"clocks", "_ZNKSt6chrono"},
    {"files (a stream)", "_ZNSt14basic_ifstream"},
    {"files (a stream)", "_ZNSt14basic_ofstream"},
    {"files (a stream)", "_ZNSt13basic_fstream"},
    {"files (a stream)", "_ZNSt13basic_filebuf"},
    {"files", "_ZNSt10filesystem"},
    {"files", "_ZNKSt10filesystem"},
    {"threads beside OpenMP's", "_ZNSt6thread"},
    {"threads beside OpenMP's", "_ZNSt7jthread"},
    {"threads beside OpenMP's", "_ZNSt13__future_base"},
    {"chance", "_ZNSt13random_device"},
};

constexpr std::string_view system_functions =
    "malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign valloc cfree memcpy "
    "memmove memset memcmp strlen strcmp strcpy abort rand srand qsort printf puts putchar vprintf stdout "
    "stderr setjmp longjmp cxa_atexit cxa_finalize cxa_throw cxa_begin_catch gxx_personality_v0 "
    "tls_get_addr stack_chk_fail errno_location libc_start_main sched_yield sched_getaffinity sysconf getpid "
    "gettid";

constexpr std::string_view system_starts[] = {"GOMP_",    "omp_", "kmp_",    "__kmpc_", "ompc_",
                                              "pthread_", "_dl_", "__libc_", "_IO_",    "_Unwind_"};
// operator new and delete in all their forms
constexpr std::string_view allocation_starts[] = {"_Znwm", "_Znam", "_ZdlPv", "_ZdaPv"};

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool listed(std::string_view names, std::string_view name) {
  for (auto at = names.find(name); at != std::string_view::npos; at = names.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' ')) return true;
  }
  return false;
}

// "__open64_2" -> "open": underscores in front, the C library's prefixes, and the endings of its variants.
std::string_view plain_name(std::string_view name) {
  const auto skip_underscores = [&] {
    name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  };
  skip_underscores();
  for (const std::string_view prefix : {"libc_", "isoc99_", "isoc23_", "IO_", "xpg_", "GI_"})
    if (starts_with(name, prefix) && name != "libc_start_main" && name != "libc_stack_end")
      name.remove_prefix(prefix.size());
  skip_underscores();
  for (const std::string_view ending : {"_nocancel", "_unlocked", "_chk", "_np", "_2", "64"})
    if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending)
      name.remove_suffix(ending.size());
  return name;
}

}  // namespace

std::string forbidden_subject(std::string_view symbol) {
  for (const Start& one : forbidden_starts)
    if (starts_with(symbol, one.start)) return one.subject;
  if (starts_with(symbol, "_Z")) return {};
  const std::string_view name = plain_name(symbol);
  for (const Group& group : forbidden)
    if (!name.empty() && listed(group.names, name)) return group.subject;
  return {};
}

bool belongs_to_system(std::string_view symbol) {
  for (const std::string_view start : allocation_starts)
    if (starts_with(symbol, start)) return true;
  if (starts_with(symbol, "_Z")) return false;
  for (const std::string_view start : system_starts)
    if (starts_with(symbol, start)) return true;
  return !forbidden_subject(symbol).empty() || listed(system_functions, plain_name(symbol));
}

bool is_runtime_library(std::string_view file_name) {
  for (const std::string_view start :
       {"libc.so",       "libm.so",    "libmvec.so",  "libstdc++.so", "libc++.so",    "libc++abi.so",
        "libgcc_s.so",   "libgomp.so", "libomp.so",   "libiomp5.so",  "libatomic.so", "libquadmath.so",
        "libpthread.so", "libdl.so",   "librt.so",    "ld-linux",     "ld64.so",      "libimf.so",
        "libsvml.so",    "libirng.so", "libintlc.so", "libasan.so",   "libubsan.so",  "libtsan.so"})
    if (starts_with(file_name, start)) return true;
  return false;
}

}  // namespace noctune
