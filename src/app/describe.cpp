// Writes the man page and the shell completions when Noctune is built: noctune-describe man|bash|zsh FILE
#include <cstdio>
#include <string>

#include "app/command_docs.hpp"
#include "app/command_line.hpp"
#include "app/version.hpp"
#include "base/files.hpp"

constexpr const char* version_date = "2026-11-30";  // goes with the version in CMakeLists.txt

int main(int argc, char** argv) {
  const std::string form = argc == 3 ? argv[1] : "";
  noctune::Options options;
  std::string time_limit;
  CLI::App app;
  noctune::add_commands(app, options, time_limit);
  std::string text;
  if (form == "man") text = noctune::man_page(app, noctune::version_number(), version_date);
  if (form == "bash") text = noctune::bash_completion(app);
  if (form == "zsh") text = noctune::zsh_completion(app);
  if (text.empty()) {
    std::fputs("usage: noctune-describe man|bash|zsh FILE\n", stderr);
    return 2;
  }
  const noctune::Result<void> written = noctune::write_file(argv[2], text);
  if (!written) std::fprintf(stderr, "noctune-describe: %s\n", written.error().text().c_str());
  return written ? 0 : 1;
}
