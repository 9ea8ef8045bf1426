#include "mep/completion/roles.hpp"

#include <algorithm>

namespace noctune {
namespace {

using Kind = SourceAccess::Kind;
using List = std::vector<const ArrayAccess*>;

bool covers(const ArrayAccess& write, const ArrayAccess& read) {
  if (write.conditional || !write.range.high || !read.range.high) return false;
  if (write.use == read.use && write.statement >= read.statement) return false;
  if (write.index && read.index && write.use == read.use && *write.index == *read.index &&
      write.member == read.member)
    return true;
  if (!write.range.low || write.range.low->constant() > 0) return false;
  return compare_typical(*write.range.high, *read.range.high) >= 0 && write.loops >= 1;
}

// Every read finds what an earlier write of the same call of the entry has left.
bool written_before_reads(const List& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i]->reads()) continue;
    const auto earlier = [&](const ArrayAccess* one) {
      return one->kind == Kind::write && covers(*one, *list[i]);
    };
    if (std::none_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), earlier)) return false;
  }
  return true;
}

bool leaves_gaps(const List& list) {
  for (const ArrayAccess* one : list)
    if (one->kind == Kind::write && !one->conditional && one->via.empty() && one->range.low &&
        one->range.low->terms().empty())
      return false;
  return true;
}

}  // namespace

BufferRole role_of(const std::string& buffer, const ArrayAccesses& accesses) {
  const List list = accesses.of(buffer);
  const auto count = [&](auto test) { return std::count_if(list.begin(), list.end(), test); };
  const auto writes = count([](const ArrayAccess* one) { return one->writes(); });
  const auto reads = count([](const ArrayAccess* one) { return one->kind == Kind::read; });
  const auto plain = count([](const ArrayAccess* one) { return one->kind == Kind::write; });
  BufferRole out;
  if (writes == 0) {
    out.why = list.empty() ? "not used" : "only read";
    return out;
  }
  if (plain > 0 && written_before_reads(list)) {
    out.role = Role::out;
    out.keep_unwritten = leaves_gaps(list);
    out.why = reads > 0 ? "written before it is read" : "only written";
    return out;
  }
  out.role = Role::inout;
  out.counts = reads == 0 && plain == 0;
  out.why = out.counts ? "added to" : "read and written in place";
  return out;
}

}  // namespace noctune
