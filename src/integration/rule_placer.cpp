#include "integration/rule_placer.hpp"

#include <algorithm>
#include <optional>

#include "integration/launch_rule.hpp"
#include "integration/source_edit.hpp"
#include "integration/winner_parts.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

// A body so short is equal to many by chance.
constexpr std::size_t telling_body = 40;

bool is_defined(const SourceFunction& function) {
  return function.body.end > function.body.begin;
}

bool same_types(const std::vector<SourceParam>& a, const std::vector<SourceParam>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SourceParam& x, const SourceParam& y) {
    return canonical(x.type) == canonical(y.type);
  });
}

bool same_names(const std::vector<SourceParam>& a, const std::vector<SourceParam>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const SourceParam& x, const SourceParam& y) { return x.name == y.name; });
}

// What of K(0) stands in the application: its entry, or, where the entry was made for a kernel that was cut
// out, the function that it hands its arguments on to as they are.
const SourceFunction* applications_own(const SourceFacts& original, const std::string& text,
                                       const std::string& entry_name) {
  const SourceFunction* entry = original.function(entry_name);
  if (!entry || !is_defined(*entry)) return nullptr;
  std::string arguments;
  for (const SourceParam& one : entry->params) arguments += (arguments.empty() ? "" : ", ") + one.name;
  const std::string body = canonical(piece(text, entry->body));
  for (const SourceFunction& one : original.functions)
    if (is_defined(one) && one.params.size() == entry->params.size() &&
        body == canonical("{ " + one.name + "(" + arguments + "); }"))
      return &one;
  return entry;
}

struct Target {
  const SourceFunction* function = nullptr;
  std::string rule;
};

class FunctionRule {
 public:
  FunctionRule(const PlaceRequest& request, const SourceFacts& file)
      : request_(request),
        file_(file),
        original_(read_source(request.original)),
        own_(applications_own(original_, request.original, request.entry)) {}

  // The function of the file that the hotspot came from.
  std::optional<Target> target() const {
    if (!own_) return {};
    const std::string body = canonical(piece(request_.original, own_->body));
    std::optional<Target> by_signature, by_body;
    for (const SourceFunction& one : file_.functions) {
      if (!is_defined(one)) continue;
      const bool alike = canonical(piece(request_.file, one.body)) == body;
      const bool named = one.name == request_.entry || one.name == own_->name || is_symbol(one.name);
      if (named && alike) return Target{&one, "the function " + one.name + " gets the winner's body"};
      if (named && same_types(one.params, own_->params))
        by_signature =
            Target{&one, "the function " + one.name + " of the same signature gets the winner's body"};
      if (alike && body.size() > telling_body)
        by_body =
            Target{&one, "the function " + one.name + ", whose body is the original's, gets the winner's"};
    }
    return by_body ? by_body : by_signature;
  }

  Result<Placed> place(const Target& target, const WinnerParts& winner) const {
    const SourceFunction& function = *target.function;
    const Result<std::string> call = call_for(function, winner);
    if (!call) return Failure(call.error());
    const bool in_place = same_names(function.params, winner.params()) && arguments_stay(function);
    const std::string body = in_place ? winner.body() : "{ " + *call + " }";
    const std::string above = in_place ? winner.above() : winner.above_with_entry(winner.body());
    Placed out;
    out.text = changed(function, winner, above, body);
    out.broken = changed(function, winner, above, idle_body(function.params, function.return_type));
    out.rule = target.rule;
    return out;
  }

 private:
  bool is_symbol(const std::string& name) const {
    return std::find(request_.symbols.begin(), request_.symbols.end(), name) != request_.symbols.end();
  }

  bool arguments_stay(const SourceFunction& function) const {
    return same_types(function.params, own_->params);
  }

  // By position where the parameters are K(0)'s, else by the names that both bodies use.
  Result<std::string> call_for(const SourceFunction& function, const WinnerParts& winner) const {
    const std::vector<SourceParam>& theirs = own_->params;
    const std::string problem = "no rule can place this version";
    if (theirs.size() != winner.params().size())
      return fail(problem, "its entry takes other parameters than the original's");
    const bool by_place = same_types(function.params, theirs);
    std::string out;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      std::string argument;
      for (std::size_t k = 0; k < function.params.size(); ++k)
        if (by_place ? k == i : function.params[k].name == theirs[i].name) argument = function.params[k].name;
      const bool stream = !request_.stream_type.empty() && i + 1 == theirs.size();
      if (argument.empty() && stream) argument = "0";
      if (argument.empty())
        return fail(problem, "the function " + function.name + " of the application has no parameter " +
                                 theirs[i].name);
      out += (i == 0 ? "" : ", ") + argument;
    }
    return (function.return_type == "void" ? "" : "return ") + winner.entry_name() + "(" + out + ");";
  }

  std::string changed(const SourceFunction& function, const WinnerParts& winner, const std::string& above,
                      const std::string& body) const {
    const std::size_t begin = with_comment_above(request_.file, function.declaration.begin);
    std::vector<TextEdit> edits = {missing_includes(request_.file, winner.includes()),
                                   {begin, begin, above},
                                   {function.body.begin, function.body.end, body}};
    for (TextEdit& one : orphans(function, above + body)) edits.push_back(std::move(one));
    return edited(request_.file, std::move(edits));
  }

  // Helpers of K(0) that nothing in the file uses any more.
  std::vector<TextEdit> orphans(const SourceFunction& target, const std::string& new_text) const {
    std::vector<TextEdit> out;
    const std::string old_text =
        request_.file.substr(target.declaration.begin, target.body.end - target.declaration.begin);
    for (const SourceFunction& one : original_.functions) {
      const SourceFunction* mine = file_.function(one.name);
      if (one.name == request_.entry || !mine || mine == &target || !mine->is_static || !is_defined(*mine))
        continue;
      const std::string own =
          request_.file.substr(mine->declaration.begin, mine->body.end - mine->declaration.begin);
      const std::size_t elsewhere =
          uses_of(request_.file, one.name) - uses_of(old_text, one.name) - uses_of(own, one.name);
      if (elsewhere > 0 || uses_of(new_text, one.name) > 0) continue;
      std::size_t end = mine->body.end;
      while (end < request_.file.size() && request_.file[end] == '\n') ++end;
      out.push_back({with_comment_above(request_.file, mine->declaration.begin), end, ""});
    }
    return out;
  }

  const PlaceRequest& request_;
  const SourceFacts& file_;
  SourceFacts original_;
  const SourceFunction* own_;
};

// The winner as it is, and the same with an idle entry.
Result<Placed> whole_file(const PlaceRequest& request) {
  const SourceFacts facts = read_source(request.winner);
  const SourceFunction* entry = facts.function(request.entry);
  if (!entry || !is_defined(*entry))
    return fail("no rule can place this version", "it defines no function " + request.entry);
  const std::string idle = idle_body(entry->params, entry->return_type);
  return Placed{request.winner, edited(request.winner, {{entry->body.begin, entry->body.end, idle}}),
                "the file is the hotspot's own: the winner takes its place"};
}

}  // namespace

Result<Placed> RulePlacer::place(const PlaceRequest& request) const {
  if (canonical(request.file) == canonical(request.original) &&
      directive_lines(request.file) == directive_lines(request.original))
    return whole_file(request);
  const SourceFacts file = read_source(request.file);
  const Result<WinnerParts> winner = WinnerParts::take(request, file);
  if (!winner) return Failure(winner.error());
  const FunctionRule functions(request, file);
  if (const std::optional<Target> target = functions.target()) return functions.place(*target, *winner);
  return place_at_launches(request, file, *winner);
}

}  // namespace noctune
