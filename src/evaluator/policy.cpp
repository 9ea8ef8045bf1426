#include "evaluator/policy.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace noctune {
namespace {

// One pass over C++ text that knows comments, strings and characters. `keep` sees every byte outside
// comments, and whether it lies in a literal, where white space counts.
template <class Keep>
void without_comments(const std::string& text, Keep keep) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
      keep('\n', false);
    } else if (text.compare(i, 2, "/*") == 0) {
      const auto end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 1;
      keep(' ', false);
    } else if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i];
      keep(text[i], true);
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i) {
        keep(text[i], true);
        if (text[i] == '\\' && i + 1 < text.size()) keep(text[++i], true);
      }
      if (i < text.size()) keep(text[i], text[i] == quote);
    } else {
      keep(text[i], false);
    }
  }
}

bool word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Functions that have no place in a kernel, as the names of dynamic symbols: files, processes and signals,
// sockets, clocks, threads beside OpenMP's, and what reaches into the harness.
constexpr std::string_view forbidden[] = {"open",
                                          "open64",
                                          "openat",
                                          "openat64",
                                          "creat",
                                          "fopen",
                                          "fopen64",
                                          "freopen",
                                          "fdopen",
                                          "fread",
                                          "fwrite",
                                          "fgets",
                                          "fputs",
                                          "read",
                                          "pread",
                                          "write",
                                          "pwrite",
                                          "writev",
                                          "lseek",
                                          "unlink",
                                          "rename",
                                          "opendir",
                                          "readdir",
                                          "mkstemp",
                                          "tmpfile",
                                          "syscall",
                                          "fork",
                                          "vfork",
                                          "clone",
                                          "execve",
                                          "execv",
                                          "execvp",
                                          "execl",
                                          "execlp",
                                          "system",
                                          "popen",
                                          "posix_spawn",
                                          "posix_spawnp",
                                          "kill",
                                          "raise",
                                          "signal",
                                          "sigaction",
                                          "ptrace",
                                          "process_vm_readv",
                                          "process_vm_writev",
                                          "prctl",
                                          "waitpid",
                                          "_exit",
                                          "exit",
                                          "quick_exit",
                                          "atexit",
                                          "setitimer",
                                          "alarm",
                                          "socket",
                                          "connect",
                                          "bind",
                                          "listen",
                                          "sendto",
                                          "sendmsg",
                                          "recvmsg",
                                          "getaddrinfo",
                                          "clock_gettime",
                                          "gettimeofday",
                                          "time",
                                          "clock",
                                          "timespec_get",
                                          "omp_get_wtime",
                                          "nanosleep",
                                          "usleep",
                                          "sleep",
                                          "pthread_create",
                                          "dlopen",
                                          "dlsym",
                                          "dl_iterate_phdr",
                                          "getenv",
                                          "setenv",
                                          "mprotect",
                                          "sched_setaffinity"};

// The same of the C++ library, by the start of the mangled name: clocks, file streams, threads.
constexpr std::string_view forbidden_starts[] = {
    "_ZNSt6chrono",         "_ZNSt14basic_ifstream", "_ZNSt14basic_ofstream", "_ZNSt13basic_fstream",
    "_ZNSt13basic_filebuf", "_ZNSt6thread",          "_ZNSt10filesystem"};

bool is_forbidden(const std::string& symbol) {
  return std::find(std::begin(forbidden), std::end(forbidden), symbol) != std::end(forbidden) ||
         std::any_of(std::begin(forbidden_starts), std::end(forbidden_starts),
                     [&](std::string_view start) { return symbol.compare(0, start.size(), start) == 0; });
}

}  // namespace

std::string normalised_source(const std::string& source) {
  std::string out;
  bool gap = false, directive = false;
  without_comments(source, [&](char c, bool literal) {
    if (literal) {
      out += c;
      gap = false;
      return;
    }
    if (c == '\n' && directive) {  // a preprocessor line ends with its line
      out += '\n';
      directive = gap = false;
      return;
    }
    if (std::isspace(static_cast<unsigned char>(c))) {
      gap = true;
      return;
    }
    if (c == '#' && (out.empty() || out.back() == '\n' || gap)) {
      if (!out.empty() && out.back() != '\n') out += '\n';
      directive = true;
    } else if (gap && !out.empty() && word_character(out.back()) && word_character(c)) {
      out += ' ';
    }
    gap = false;
    out += c;
  });
  return out;
}

std::optional<std::string> source_objection(const std::string& source) {
  std::string code;
  without_comments(source, [&](char c, bool) { code += c; });
  std::istringstream lines(code);
  std::string line;
  while (std::getline(lines, line)) {
    line.erase(
        std::remove_if(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t' || c == '\r'; }),
        line.end());
    if (line.rfind("#include", 0) == 0 && line.rfind("#include<", 0) != 0 &&
        line != "#include\"context.hpp\"")
      return "includes a file of its own (" + line +
             "); a version is one self-contained file that may include "
             "standard headers and context.hpp";
    if (line.rfind("#include<", 0) == 0 && (line[9] == '/' || line.find("..") != std::string::npos))
      return "includes by an absolute or upward path (" + line + ")";
  }
  if (code.find(".incbin") != std::string::npos) return "embeds a file with .incbin";
  return {};
}

std::optional<std::string> binary_objection(const PluginBinary& binary, const std::string& entry,
                                            const std::vector<std::string>& waived) {
  if (!std::binary_search(binary.defined.begin(), binary.defined.end(), entry))
    return "defines no entry `" + entry + "` with the spec's signature and C linkage";
  std::string found;
  for (const std::string& symbol : binary.undefined) {
    if (!is_forbidden(symbol)) continue;
    if (std::find(waived.begin(), waived.end(), symbol) != waived.end()) continue;
    found += (found.empty() ? "" : ", ") + symbol;
  }
  if (!found.empty())
    return "calls " + found + ": a kernel has no business with files, processes, sockets or clocks";
  return {};
}

}  // namespace noctune
