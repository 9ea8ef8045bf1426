#include "integration/file_edits.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "evaluator/policy.hpp"
#include "evaluator/system_names.hpp"
#include "integration/source_edit.hpp"
#include "integration/winner_parts.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

constexpr const char* problem = "the edits cannot be used";
constexpr std::size_t shown_bytes = 120;

struct Line {
  std::size_t begin = 0, end = 0;  // without its newline
  std::string text;
};

std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const bool cr = end > begin && text[end - 1] == '\r';
    out.push_back({begin, end, text.substr(begin, end - begin - (cr ? 1 : 0))});
    begin = end + 1;
  }
  return out;
}

bool is_marker(const std::string& line, char sign, const char* word) {
  const std::string text = trimmed_line(line);
  const std::size_t signs = text.find_first_not_of(sign);
  const std::size_t count = signs == std::string::npos ? text.size() : signs;
  return count >= 5 && trimmed_line(text.substr(count)) == word;
}

std::string shown(const std::string& text) {
  std::string out = trimmed_line(text.substr(0, text.find('\n')));
  if (out.size() > shown_bytes) out = out.substr(0, shown_bytes) + " ...";
  return "\"" + out + "\"";
}

// Where the lines stand in the file; several where they stand more than once.
std::vector<TextRange> places_of(const std::vector<Line>& file, const std::vector<Line>& wanted, bool exact) {
  const auto same = [exact](const Line& a, const Line& b) {
    return exact ? a.text == b.text : trimmed_line(a.text) == trimmed_line(b.text);
  };
  std::vector<TextRange> out;
  for (std::size_t at = 0; at + wanted.size() <= file.size(); ++at)
    if (std::equal(wanted.begin(), wanted.end(), file.begin() + static_cast<std::ptrdiff_t>(at), same))
      out.push_back({file[at].begin, file[at + wanted.size() - 1].end, static_cast<int>(at + 1)});
  return out;
}

Result<TextRange> place_of(const std::string& file, const FileEdit& edit) {
  std::vector<Line> wanted = lines_of(edit.search);
  const auto says_something = [](const Line& line) { return !trimmed_line(line.text).empty(); };
  wanted.erase(wanted.begin(), std::find_if(wanted.begin(), wanted.end(), says_something));
  while (!wanted.empty() && !says_something(wanted.back())) wanted.pop_back();
  if (wanted.empty()) return fail(problem, "a SEARCH part is empty");
  const std::vector<Line> lines = lines_of(file);
  std::vector<TextRange> found = places_of(lines, wanted, true);
  if (found.empty()) found = places_of(lines, wanted, false);
  if (found.size() == 1) return found.front();
  const std::string what = "the lines of a SEARCH part, which begin with " + shown(wanted.front().text);
  if (found.empty()) return fail(problem, what + ", are not in the file as they stand there");
  return fail(problem, what + ", are in the file " + std::to_string(found.size()) +
                           " times; take in more lines around them");
}

// The function of the file that holds a place.
const SourceFunction* function_at(const SourceFacts& facts, std::size_t at) {
  for (const SourceFunction& one : facts.functions)
    if (one.declaration.begin <= at && at < one.body.end) return &one;
  return nullptr;
}

std::set<std::string> calls_in(const SourceFacts& facts) {
  std::set<std::string> out;
  for (const SourceFunction& one : facts.functions) out.insert(one.calls.begin(), one.calls.end());
  return out;
}

// What code of a model may not do in a version it may not do in the application either.
Result<void> check_conduct(const std::string& written, const Placed& placed, const PlaceRequest& request) {
  constexpr const char* unlike = ", which the file itself does not";
  if (const std::optional<std::string> why = source_objection(written, request.file))
    return fail(problem, "what they write " + *why + unlike);
  const std::set<std::string> before = calls_in(read_source(request.file)),
                              winner = calls_in(read_source(request.winner));
  for (const std::string& name : calls_in(read_source(placed.text)))
    if (const std::string subject = forbidden_subject(name);
        !subject.empty() && !before.contains(name) && !winner.contains(name))
      return fail(problem, "they call " + name + " (" + subject + ")" + unlike);
  return {};
}

}  // namespace

Result<std::vector<FileEdit>> read_file_edits(const std::string& answer) {
  enum class Part { outside, search, replace } part = Part::outside;
  std::vector<FileEdit> out;
  for (const Line& line : lines_of(answer)) {
    if (part == Part::outside) {
      if (!is_marker(line.text, '<', "SEARCH")) continue;
      out.emplace_back();
      part = Part::search;
    } else if (part == Part::search && is_marker(line.text, '=', "")) {
      part = Part::replace;
    } else if (part == Part::replace && is_marker(line.text, '>', "REPLACE")) {
      part = Part::outside;
    } else {
      (part == Part::search ? out.back().search : out.back().replace) += line.text + "\n";
    }
  }
  if (part != Part::outside) return fail(problem, "the last one has no end, >>>>>>> REPLACE");
  if (out.empty()) return fail(problem, "there are none: each begins with a line <<<<<<< SEARCH");
  return out;
}

Result<std::string> winner_head(const PlaceRequest& request) {
  const Result<WinnerParts> winner = WinnerParts::take(request, read_source(request.file));
  if (!winner) return Failure(winner.error());
  std::string params;
  for (const SourceParam& one : winner->params())
    params += (params.empty() ? "" : ", ") + one.type + (one.name.empty() ? "" : " " + one.name);
  return winner->return_type() + " " + winner->entry_name() + "(" + params + ")";
}

Result<Placed> place_by_edits(const PlaceRequest& request, const std::vector<FileEdit>& wanted) {
  const SourceFacts file = read_source(request.file);
  const Result<WinnerParts> winner = WinnerParts::take(request, file);
  if (!winner) return Failure(winner.error());
  std::vector<TextEdit> edits;
  std::string written;
  std::optional<std::size_t> above;  // where the winner goes
  for (const FileEdit& one : wanted) {
    const Result<TextRange> place = place_of(request.file, one);
    if (!place) return Failure(place.error());
    for (const TextEdit& other : edits)
      if (place->begin < other.end && other.begin < place->end)
        return fail(problem, "two of them change the same lines, such as " + shown(one.search));
    std::string text = one.replace;
    if (!text.empty()) text.pop_back();  // the file's own newline stays
    written += one.replace;
    edits.push_back({place->begin, place->end, std::move(text)});
    const SourceFunction* function = function_at(file, place->begin);
    const std::size_t begin =
        function ? with_comment_above(request.file, function->declaration.begin) : std::string::npos;
    if (function) above = std::min({above.value_or(begin), begin, place->begin});
  }
  if (uses_of(written, winner->entry_name()) == 0)
    return fail(problem, "none of them calls " + winner->entry_name());
  if (read_source(written).function(winner->entry_name()))
    return fail(problem, "they define " + winner->entry_name() + ", which is put in beside them");
  if (!above) return fail(problem, "none of them lies in a function of the file");
  const auto changed = [&](const std::string& body) {
    std::vector<TextEdit> all = {missing_includes(request.file, winner->includes()),
                                 {*above, *above, winner->above_with_entry(body)}};
    all.insert(all.end(), edits.begin(), edits.end());
    return edited(request.file, std::move(all));
  };
  Placed out;
  out.text = changed(winner->body());
  out.broken = changed(idle_body(winner->params(), winner->return_type()));
  out.rule = "the model's edits call the winner's entry, " + std::to_string(edits.size()) +
             (edits.size() == 1 ? " place" : " places");
  if (const Result<void> fair = check_conduct(written, out, request); !fair) return Failure(fair.error());
  return out;
}

}  // namespace noctune
