// Loops that step by the whole grid become one element per thread, the form that other rules start from. Sums
// that are combined within warps or blocks by hand become an atomicAdd of every element, for block-sum.
#include <algorithm>
#include <regex>

#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/free_order.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

constexpr const char* step_name = "noctune_step";
// Of a kernel's body; regular expressions need stack for every character.
constexpr std::size_t most_text = 4096;

// for (...; i += step), the first loop of the text, as the reader gets to see it: its step declared above,
// then one by one.
std::optional<std::string> counted_one_by_one(const std::string& text) {
  static const std::regex loop(R"(for\s*\(([^;{}]*);([^;{}]*);\s*(\w+)\s*\+=\s*([^;{}]*?)\)\s*([{\w]))");
  std::smatch found;
  if (text.size() > most_text || !std::regex_search(text, found, loop)) return {};
  if (contains_word(found.prefix().str(), "for")) return {};
  return found.prefix().str() + "int " + step_name + " = " + found[4].str() + "; for (" + found[1].str() +
         ";" + found[2].str() + "; ++" + found[3].str() + ") " + found[5].str() + found.suffix().str();
}

struct Strided {
  Statements head;  // declarations above the loop
  Statement loop;
  Statements after;
};

bool is_shared_memory(const Statement& statement) {
  return statement.opaque && statement.text.rfind("__shared__", 0) == 0;
}

// The loop works with nothing that the text declares.
bool avoids(const Statement& loop, const std::string& text) {
  bool none = true;
  visit_expressions({loop}, [&](const ExprPtr& expr) {
    visit(expr, [&](const Expr& part) {
      none &= part.kind != ExprKind::variable || !contains_word(text, part.text);
    });
  });
  return none;
}

std::optional<Strided> strided_in(const Function& kernel, const std::set<std::string>& pure_calls) {
  const auto at = std::find_if(kernel.body.begin(), kernel.body.end(),
                               [](const Statement& one) { return one.kind == StatementKind::loop; });
  if (at == kernel.body.end() || at->step != 1) return {};
  Strided result = {{}, *at, Statements(at + 1, kernel.body.end())};
  for (auto one = kernel.body.begin(); one != at; ++one) {
    if (is_shared_memory(*one) && avoids(*at, one->text)) continue;
    if (one->kind != StatementKind::declare || !one->value) return {};
    result.head.push_back(*one);
  }
  return has_free_order(kernel, *at, pure_calls) ? std::optional(result) : std::nullopt;
}

// The loop starts at the thread's number in the grid and steps by all of them.
bool runs_over_grid(const Strided& strided) {
  Substitution values;
  ExprPtr step;
  for (const Statement& statement : strided.head) {
    if (!is_integer(plain_type(statement.type))) continue;
    values[statement.name] = substitute(statement.value, values);
    if (statement.name == step_name) step = values[statement.name];
    // The host has no such name.
    if (mentions(strided.loop.upper, statement.name)) return false;
  }
  const auto start = polynomial_of(substitute(strided.loop.lower, values));
  const auto by = step ? polynomial_of(step) : std::nullopt;
  const auto symbol = [](const char* name) { return Polynomial::symbol(name); };
  return start && by && *by == symbol("gridDim.x") * symbol("blockDim.x") &&
         *start == symbol("blockIdx.x") * symbol("blockDim.x") + symbol("threadIdx.x");
}

// Without spaces, and with threadIdx.x under its own name.
std::string squeezed(const Strided& strided) {
  std::string text = print(strided.after, 0);
  for (const Statement& one : strided.head) {
    if (!is_integer(plain_type(one.type)) || print(one.value) != "threadIdx.x") continue;
    const std::string place = "threadIdx.x";
    for (std::size_t at = find_word(text, one.name, 0); at != std::string::npos;
         at = find_word(text, one.name, at + place.size()))
      text.replace(at, one.name.size(), place);
  }
  text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c); }),
             text.end());
  return text;
}

// What atomicAdd gets, where all threads' values of `sum` end up there once each.
std::optional<std::string> place_of(const Strided& strided, const std::string& sum) {
  const std::string add = R"(atomicAdd\(([^,;]+),)", first = R"(if\(threadIdx\.x==0\)\{?)",
                    lanes = R"(for\(int(\w+)=16;\1>0;\1(?:/=2|>>=1)\)\{?)" + sum +
                            R"(\+=__shfl_(?:down|xor)_sync\(0x[fF]{8}[uU]?,)" + sum + R"(,\1(?:,32)?\);\}?)";
  const std::string tree =
      R"((\w+)\[threadIdx\.x\]=)" + sum +
      R"(;__syncthreads\(\);for\((?:unsignedint|int|unsigned)(\w+)=blockDim\.x(?:/2|>>1);\2>0;\2(?:/=2|>>=1)\)\{)"
      R"(if\(threadIdx\.x<\2\)\{?\1\[threadIdx\.x\]\+=\1\[threadIdx\.x\+\2\];\}?__syncthreads\(\);\})";
  const std::string text = squeezed(strided);
  std::smatch found;
  if (text.size() > most_text) return {};
  if (std::regex_match(text, found, std::regex(add + sum + R"(\);)"))) return found[1].str();
  if (std::regex_match(
          text, found,
          std::regex(lanes + R"(if\(\(?threadIdx\.x(?:&31|%32)\)?==0\)\{?)" + add + sum + R"(\);\}?)")))
    return found[2].str();
  if (std::regex_match(text, found, std::regex(tree + first + add + R"(\1\[0\]\);\}?)")))
    return found[3].str();
  return {};
}

// The declared type of what stands behind &out[0], out or out + 0.
std::string element_at(const Function& kernel, const std::string& place) {
  for (const Parameter& param : kernel.params)
    if (contains_word(place, param.name)) return element_of(param.type);
  return {};
}

// The loop's work for one element; the sum that it adds to goes to memory.
std::optional<Statements> element_work(const Function& kernel, const Strided& strided) {
  Statements body = strided.loop.body;
  const std::set<std::string> assigned = assigned_names(body), own = declared_names(body);
  std::vector<std::string> carried;
  std::set_difference(assigned.begin(), assigned.end(), own.begin(), own.end(), std::back_inserter(carried));
  if (carried.empty()) return strided.after.empty() ? std::optional(body) : std::nullopt;
  const Statement sum = body.back();
  const bool adds = carried.size() == 1 && sum.kind == StatementKind::assign && sum.op == "+=" &&
                    sum.target->kind == ExprKind::variable && sum.target->text == carried[0];
  if (!adds || mentions(sum.value, carried[0])) return {};
  body.pop_back();
  if (mentions(body, carried[0]) || has_opaque(body) || !written_arrays(body).empty()) return {};
  const auto declared = std::find_if(strided.head.begin(), strided.head.end(),
                                     [&](const Statement& one) { return one.name == carried[0]; });
  const auto place = place_of(strided, carried[0]);
  if (!place || declared == strided.head.end() || !is_zero(declared->value)) return {};
  if (plain_type(declared->type) != element_at(kernel, *place)) return {};
  body.push_back(text_lines("atomicAdd(" + *place + ", " + print(sum.value) + ");"));
  return body;
}

// Declarations that the work needs; nothing where it depends on the thread's place.
std::optional<Statements> needed(const Strided& strided, const Statements& work) {
  Statements list;
  for (std::size_t i = strided.head.size(); i-- > 0;) {
    const Statement& one = strided.head[i];
    if (!mentions(work, one.name) && !mentions(list, one.name) && !mentions(strided.loop.upper, one.name))
      continue;
    if (assigned_names(work).count(one.name)) return {};
    list.insert(list.begin(), one);
  }
  const std::string text = print(list, 0) + print(work, 0) + print(strided.loop.upper);
  const bool placed = text.find("Idx.") != std::string::npos || text.find("Dim.") != std::string::npos;
  return placed ? std::nullopt : std::optional(list);
}

std::optional<std::string> element_text(const Function& kernel, const Strided& strided) {
  const auto work = element_work(kernel, strided);
  const auto head = work ? needed(strided, *work) : std::nullopt;
  if (!head) return {};
  return fill_template(R"(  $type $index = blockIdx.x * blockDim.x + threadIdx.x;
  $head
  if ($index < $limit) {
    $work
  }
)",
                       {{"type", plain_type(strided.loop.type)},
                        {"index", strided.loop.name},
                        {"head", print(*head, 0)},
                        {"limit", print(upper_bound(strided.loop))},
                        {"work", print(*work, 0)}});
}

// One dimension, of which warps and halving leave no rest.
bool is_flat(const Launch& launch) {
  const auto single = [&](std::size_t axis) {
    return launch.threads[axis] == 1 && launch.grid[axis] && constant_of(launch.grid[axis]) == 1;
  };
  const long long threads = launch.threads[0];
  const bool whole = threads >= 32 && (threads & (threads - 1)) == 0;
  return whole && single(1) && single(2) && !launch.has_dynamic_memory();
}

// The edits for one kernel; none where it has another form.
std::vector<Edit> edits_for(const Work& work, const Function& kernel) {
  const std::string& source = work.program.source;
  const auto probe =
      counted_one_by_one(source.substr(kernel.body_begin, kernel.body_end - kernel.body_begin));
  Work probed = work;
  if (!probe || !change(probed, {{kernel.body_begin, kernel.body_end, *probe}})) return {};
  if (calls_for_its_place(*work.gpu, kernel)) return {};
  const Function* counted = probed.program.find(kernel.name);
  const auto strided =
      counted && counted->understood ? strided_in(*counted, work.program.pure_calls) : std::nullopt;
  const auto text = strided && runs_over_grid(*strided) ? element_text(kernel, *strided) : std::nullopt;
  if (!text) return {};
  std::vector<Edit> edits = {body_edit(kernel, *text)};
  for (const Launch* launch : work.gpu->launches_of(kernel.name)) {
    const ExprPtr limit = work.gpu->on_host(*launch, upper_bound(strided->loop));
    if (!limit || !is_flat(*launch) || !polynomial_of(limit)) return {};
    edits.push_back(
        launch_edit(*launch, {blocks_for(limit, launch->threads[0]), number(1), number(1)}, launch->threads));
  }
  return edits;
}

}  // namespace

bool elements(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  std::vector<Edit> edits;
  for (const Function& function : work.program.functions) {
    if (!function.kernel || !wants(step, function.name)) continue;
    for (Edit& edit : edits_for(work, function)) edits.push_back(std::move(edit));
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
