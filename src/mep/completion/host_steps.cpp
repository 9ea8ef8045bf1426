#include "mep/completion/host_steps.hpp"

#include <algorithm>
#include <regex>

namespace noctune {
namespace {

using Kind = StepSpec::Kind;

StepSpec step(Kind kind, const std::string& name, const std::string& other = {}) {
  StepSpec out;
  out.kind = kind;
  out.name = name;
  out.other = other;
  return out;
}

template <class Make>
void find_all(const std::string& text, std::size_t offset, const std::string& pattern, Make make,
              std::vector<HostStep>& out) {
  const std::regex regex(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i)
    out.push_back({offset + static_cast<std::size_t>(i->position()), make(*i)});
}

}  // namespace

std::vector<HostStep> host_steps_in(const std::string& text, std::size_t begin, std::size_t end) {
  std::vector<HostStep> out;
  if (begin >= end || end > text.size() || end - begin > 20000) return out;
  const std::string part = text.substr(begin, end - begin);
  find_all(
      part, begin, R"(\bswap\s*\(\s*(\w+)\s*,\s*(\w+)\s*\))",
      [](const std::smatch& found) { return step(Kind::swap, found[1], found[2]); }, out);
  // T* tmp = a; a = b; b = tmp;
  find_all(
      part, begin, R"((\w+)\s*=\s*(\w+)\s*;\s*\2\s*=\s*(\w+)\s*;\s*\3\s*=\s*\1\s*;)",
      [](const std::smatch& found) { return step(Kind::swap, found[2], found[3]); }, out);
  find_all(
      part, begin, R"(\w+Memcpy(?:Async)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*,[^;]*DeviceToDevice[^;]*;)",
      [](const std::smatch& found) { return step(Kind::copy, found[1], found[2]); }, out);
  find_all(
      part, begin, R"((?:cuda|hip)Memset(?:Async)?\s*\(\s*(\w+)\s*,\s*0\s*,[^;]*;)",
      [](const std::smatch& found) { return step(Kind::zero, found[1]); }, out);
  // more = 0, where &more is handed over.
  find_all(
      part, begin, R"(\b(\w+)\s*=\s*(?:0|false)\s*;)",
      [](const std::smatch& found) { return step(Kind::zero, found[1]); }, out);
  std::stable_sort(out.begin(), out.end(), [](const HostStep& a, const HostStep& b) { return a.at < b.at; });
  return out;
}

}  // namespace noctune
