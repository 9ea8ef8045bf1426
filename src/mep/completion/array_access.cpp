#include "mep/completion/array_access.hpp"

#include <algorithm>

#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

// The arrays whose values an index depends on: "@col|e" is a value of col.
void add_sources(const Polynomial& index, std::set<std::string>& out) {
  for (const std::string& name : index.names())
    if (name[0] == '@') out.insert(name.substr(1, name.find('|') - 1));
}

class Collector {
 public:
  Collector(const SourceFacts& facts, const std::string& source, const KernelUse& use,
            const std::map<std::string, std::string>& defines, std::size_t number, ArrayAccesses& out)
      : facts_(facts),
        source_(source),
        use_(use),
        bounds_(facts, source, use, defines),
        number_(number),
        out_(out) {}

  void run() {
    for (const SourceAccess& one : use_.function->accesses) out_.all.push_back(access(one));
    for (const auto& [size, divisors] : bounds_.divisors())
      out_.divisors[size].insert(divisors.begin(), divisors.end());
    for (const auto& [size, tile] : bounds_.tiles()) out_.divisors[size].insert(static_cast<long long>(tile));
    out_.powers_of_two.insert(bounds_.powers_of_two().begin(), bounds_.powers_of_two().end());
    for (const SourceLoop& loop : use_.function->loops)
      add_list(loop, IndexPlace{loop.where.begin > 0 ? loop.where.begin - 1 : 0});
    add_bounds();
    out_.depths.push_back(depth());
  }

 private:
  ArrayAccess access(const SourceAccess& source) {
    ArrayAccess out;
    out.kind = source.kind;
    const std::size_t dot = source.array.find('.');
    out.array = use_.argument(source.array.substr(0, dot)) +
                (dot == std::string::npos ? std::string() : source.array.substr(dot));
    out.member = source.member;
    out.loops = source.loop_depth;
    out.use = number_;
    out.statement = statement_of(source.where.begin);
    out.source = &source;
    const IndexPlace place = place_of(source);
    out.index = whole_index(source, place);
    out.conditional = guard_reads_arrays(source, place);
    out.repeats = repeats(place);
    if (!out.index) return out;
    add_sources(*out.index, out.via);
    out.range = bounds_.range(*out.index, place);
    if (!out.range.high) out.range.high = end_of_rows(*out.index, place);
    // The pitch of rows: what an index variable is multiplied with.
    for (const std::string& name : out.index->names()) {
      const std::vector<std::string> factors = out.index->coefficient(name).names();
      if (!is_index_variable(name) && std::any_of(factors.begin(), factors.end(), is_index_variable))
        out_.bounds.insert(name);
    }
    for (const std::optional<Polynomial>* end : {&out.range.low, &out.range.high})
      if (*end)
        for (const std::string& name : (*end)->names())
          if (const std::size_t mark = name.find("!max"); mark != std::string::npos)
            out.via.insert(name.substr(0, mark));
    return out;
  }

  // Reads of a statement come before its write, wherever they stand in it.
  std::size_t statement_of(std::size_t at) const {
    std::size_t out = 0;
    for (std::size_t i = use_.function->body.begin; i < at && i < source_.size(); ++i)
      if (source_[i] == ';' || source_[i] == '{' || source_[i] == '}') ++out;
    return out;
  }

  IndexPlace place_of(const SourceAccess& access) {
    IndexPlace out{access.where.begin, access.guard};
    if (access.callee.empty()) return out;
    out.callee = facts_.function(access.callee);
    if (out.callee == nullptr) return out;
    const std::size_t call = find_word(source_, access.callee, access.where.begin);
    const std::size_t open = call == std::string::npos ? call : source_.find('(', call);
    if (open == std::string::npos || open > use_.function->body.end) return out;
    std::size_t close = open;
    for (int depth = 0; close < source_.size(); ++close) {
      if (source_[close] == '(') ++depth;
      if (source_[close] == ')' && --depth == 0) break;
    }
    const std::vector<std::string> texts =
        split_outside_brackets(source_.substr(open + 1, close - open - 1), ",");
    for (std::size_t i = 0; i < texts.size() && i < out.callee->params.size(); ++i)
      out.arguments[out.callee->params[i].name] = trimmed(texts[i]);
    if (callees_.insert(access.callee).second)
      for (const SourceLoop& loop : out.callee->loops) add_list(loop, out);
    return out;
  }

  // "@first|..." alone.
  static std::string array_value(const std::optional<Polynomial>& value) {
    if (!value || !value->is_single_name() || value->names()[0][0] != '@') return {};
    const std::string name = value->names()[0];
    return name.substr(1, name.find('|') - 1);
  }

  void add_list(const SourceLoop& loop, const IndexPlace& before) {
    const std::optional<Polynomial> from = bounds_.polynomial(loop.from, before);
    const std::string first = array_value(from), last = array_value(bounds_.polynomial(loop.to, before));
    if (last.empty()) return;
    if (first == last)
      out_.lists.push_back({first, {}, number_});
    else if (from && from->is_constant())
      out_.lists.push_back({{}, last, number_});
  }

  // Names on the larger side of a comparison.
  void add_bounds() {
    const auto add = [&](const std::optional<Polynomial>& value) {
      if (value)
        for (const std::string& name : value->names()) out_.bounds.insert(name);
    };
    const IndexPlace anywhere{use_.function->body.end};
    for (const SourceLoop& loop : use_.function->loops) {
      const IndexPlace before{loop.where.begin > 0 ? loop.where.begin - 1 : 0};
      add(bounds_.polynomial(loop.step.rfind('-', 0) == 0 ? loop.from : loop.to, before));
    }
    for (std::size_t i = 0; i < use_.loops.size(); ++i) add(bounds_.host_polynomial(use_.loops[i].to, i));
    for (const std::string& guard : use_.function->guards)
      if (const std::optional<CExpression> parsed = parse_c_expression(guard))
        for (const CComparison& one : comparisons_in(*parsed))
          if (one.op[0] == '<') add(bounds_.polynomial(one.right, anywhere));
  }

  // Terms that one element of an output collects: the loops whose variable no written index names.
  Polynomial depth() {
    std::set<std::string> named;
    for (const ArrayAccess& one : out_.all)
      if (one.use == number_ && one.writes() && one.index)
        for (const std::string& name : bounds_.variables_under(*one.index)) named.insert(name);
    Polynomial deepest = 1;
    for (const SourceAccess& one : use_.function->accesses) {
      Polynomial product = 1;
      for (std::size_t i = 0; i < use_.function->loops.size(); ++i) {
        const SourceLoop& loop = use_.function->loops[i];
        if (one.where.begin < loop.where.begin || one.where.begin >= loop.where.end) continue;
        if (named.count(loop.variable + "@" + std::to_string(i)) > 0) continue;
        if (const std::optional<Polynomial> terms = iterations(loop, i)) product = product * *terms;
      }
      if (const IndexPlace place = place_of(one); place.callee != nullptr)
        for (std::size_t i = 0; i < place.callee->loops.size(); ++i) {
          if (named.count(place.callee->loops[i].variable + "@c" + std::to_string(i)) > 0) continue;
          const std::optional<Polynomial> terms =
              iterations(bounds_.callee_loop_range(place.callee->loops[i], place), place);
          if (terms) product = product * *terms;
        }
      if (compare_typical(product, deepest) > 0) deepest = product;
    }
    for (std::size_t i = 0; i < use_.loops.size(); ++i)
      if (named.count(use_.loops[i].variable + "@h" + std::to_string(i)) == 0)
        if (const std::optional<Polynomial> terms =
                iterations(bounds_.loop_range(use_.loops[i], true, i), {}))
          deepest = deepest * *terms;
    return deepest;
  }

  std::optional<Polynomial> iterations(const SourceLoop& loop, std::size_t number) {
    return iterations(bounds_.loop_range(loop, false, number),
                      IndexPlace{loop.where.begin > 0 ? loop.where.begin - 1 : 0});
  }
  // At most: from the lowest start to the highest end.
  std::optional<Polynomial> iterations(const IndexRange& range, const IndexPlace& place) {
    const std::optional<Polynomial> high = range.high ? bounds_.range(*range.high, place).high : std::nullopt;
    if (!high) return std::nullopt;
    const std::optional<Polynomial> low = range.low ? bounds_.range(*range.low, place).low : std::nullopt;
    // A start of 1 or 2 is not worth a term.
    const bool matters = low && compare_typical(*low, 0) < 0;
    return matters ? *high + 1 - *low : *high + 1;
  }

  // Row number times pitch plus something unknown within the row: the row's last element.
  std::optional<Polynomial> end_of_rows(const Polynomial& index, const IndexPlace& place) {
    for (const std::string& name : index.names()) {
      if (is_index_variable(name)) continue;
      const Polynomial rows = index.coefficient(name);
      if (rows.is_constant()) continue;
      const std::optional<Polynomial> last = bounds_.range(rows, place).high;
      if (last) return (*last + 1) * Polynomial::of(name) - 1;
    }
    return std::nullopt;
  }

  const SourceParam* param(const std::string& name) const {
    for (const SourceParam& one : use_.function->params)
      if (one.name == name) return &one;
    return nullptr;
  }

  // "i][j" of double A[N][M] is i*M + j.
  std::optional<Polynomial> whole_index(const SourceAccess& source, const IndexPlace& place) {
    const std::vector<std::string> parts = split_outside_brackets(source.index, "][");
    const SourceParam* declared = param(source.array);
    std::optional<Polynomial> out = bounds_.polynomial(parts[0], place);
    for (std::size_t i = 1; out && i < parts.size(); ++i) {
      if (declared == nullptr || i >= declared->extents.size()) return std::nullopt;
      const std::optional<Polynomial> width = bounds_.polynomial(declared->extents[i], place);
      const std::optional<Polynomial> inner = bounds_.polynomial(parts[i], place);
      if (!width || !inner) return std::nullopt;
      out = *out * *width + *inner;
    }
    return out;
  }

  bool guard_reads_arrays(const SourceAccess& source, const IndexPlace& place) {
    if (source.guard.empty()) return false;
    const std::optional<CExpression> guard = parse_c_expression(source.guard);
    if (!guard) return true;
    const std::vector<std::string> names = names_of(*guard);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const SourceParam* declared = param(name.substr(0, name.find('.')));
      if (declared != nullptr && declared->is_pointer()) return true;
      const std::optional<Polynomial> value = bounds_.polynomial(name, place);
      if (!value) return true;
      const std::vector<std::string> parts = value->names();
      return std::any_of(parts.begin(), parts.end(),
                         [](const std::string& part) { return part[0] == '@' || part[0] == '~'; });
    });
  }

  Polynomial repeats(const IndexPlace& place) {
    Polynomial out = 1;
    const auto times = [&](const IndexRange& range) {
      if (const std::optional<Polynomial> terms = iterations(range, place)) out = out * *terms;
    };
    for (std::size_t i = 0; i < use_.loops.size(); ++i) times(bounds_.loop_range(use_.loops[i], true, i));
    for (std::size_t i = 0; i < use_.function->loops.size(); ++i) {
      const SourceLoop& loop = use_.function->loops[i];
      if (loop.where.begin <= place.at && place.at < loop.where.end)
        times(bounds_.loop_range(loop, false, i));
    }
    if (use_.function->kind == SourceFunction::Kind::kernel)
      for (const char axis : {'x', 'y', 'z'})
        if (const std::optional<Polynomial> threads = bounds_.guarded_threads(axis)) out = out * *threads;
    return out;
  }

  const SourceFacts& facts_;
  const std::string& source_;
  const KernelUse& use_;
  IndexBounds bounds_;
  std::set<std::string> callees_;
  std::size_t number_;
  ArrayAccesses& out_;
};

}  // namespace

std::vector<const ArrayAccess*> ArrayAccesses::of(const std::string& array) const {
  std::vector<const ArrayAccess*> out;
  for (const ArrayAccess& one : all)
    if (one.array == array) out.push_back(&one);
  return out;
}

ArrayAccesses collect_accesses(const SourceFacts& facts, const std::string& source,
                               const std::vector<KernelUse>& uses,
                               const std::map<std::string, std::string>& defines) {
  ArrayAccesses out;
  for (std::size_t i = 0; i < uses.size(); ++i) Collector(facts, source, uses[i], defines, i, out).run();
  return out;
}

}  // namespace noctune
