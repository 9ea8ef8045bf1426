#include "coordinator/prompts/replies.hpp"

#include "base/files.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "places.hpp"

namespace noctune {
namespace {

std::vector<std::string> columns(const std::string& line) {
  std::vector<std::string> out;
  std::size_t from = 0;
  for (auto bar = line.find(" | "); bar != std::string::npos; bar = line.find(" | ", from)) {
    out.push_back(line.substr(from, bar - from));
    from = bar + 3;
  }
  out.push_back(line.substr(from));
  out.resize(7);
  return out;
}

}  // namespace

MepSource scale_mep() {
  MepSource mep;
  mep.hotspot = "scale";
  mep.spec.entry = "scale";
  ParamSpec n, x, y;
  n.name = "n";
  n.type = "int";
  n.value = "n";
  x.name = "x";
  x.type = "const double*";
  x.count = "n";
  y.name = "y";
  y.type = "double*";
  y.count = "n";
  y.role = Role::out;
  mep.spec.params = {n, x, y};
  mep.original =
      "extern \"C\" void scale(int n, const double* x, double* y) {\n"
      "  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n";
  mep.flags = {"-O3", "-fopenmp"};
  return mep;
}

std::vector<ReplyCase> reply_cases() {
  const std::string folder = NOCTUNE_SOURCE_DIR "/tests/data/replies/";
  std::vector<ReplyCase> out;
  for (const std::string& line : lines_of(value_or_throw(read_file(folder + "expected.txt")))) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> c = columns(line);
    out.push_back({c[0], value_or_throw(read_file(folder + c[0] + ".md")), c[1] == "ok", c[2], c[3], c[4],
                   c[5], c[6] == "\\r" ? "\r" : c[6]});
  }
  return out;
}

}  // namespace noctune
