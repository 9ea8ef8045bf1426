#include "coordinator/prompts/completion_reply.hpp"

#include <algorithm>
#include <array>

#include "coordinator/prompts/code_mask.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "coordinator/prompts/reply_blocks.hpp"
#include "coordinator/prompts/reply_json.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_bytes = 400'000, longest_sentence = 300, most_sentences = 24;

constexpr std::array<const char*, 5> file_names = {"context.hpp", "original.cpp", "entry.cpp", "inputs.cpp",
                                                   "check.cpp"};

std::string& text_of(CompletionReply& reply, const std::string& name) {
  if (name == "context.hpp") return reply.context;
  if (name == "original.cpp") return reply.original;
  if (name == "entry.cpp") return reply.entry;
  return name == "inputs.cpp" ? reply.inputs : reply.check;
}

std::string named_in(const std::string& text) {
  for (const char* name : file_names)
    if (text.find(name) != std::string::npos) return name;
  return {};
}

// By its first line, a comment; else by the words after the fence or above it. "original.cu" is as good.
std::string file_of(const ReplyBlock& block) {
  std::string first = block.content.substr(0, block.content.find('\n'));
  for (const char* ending : {".cu", ".hip", ".cc"})
    if (const auto at = first.find(std::string("original") + ending); at != std::string::npos)
      first = "original.cpp";
  for (const std::string& place : {first, block.info, block.before})
    if (std::string name = named_in(place); !name.empty()) return name;
  return {};
}

bool is_spec(const ReplyBlock& block) {
  const auto begin = block.content.find_first_not_of(" \t\n");
  const bool object =
      begin != std::string::npos && (block.content[begin] == '{' || block.content[begin] == '/');
  return object && block.content.find("\"params\"") != std::string::npos;
}

void take_sentences(const std::string& text, CompletionReply& out) {
  for (const std::string& line : lines_of(text)) {
    std::string word = trimmed(line);
    word.erase(0, word.find_first_not_of("-* "));
    for (auto& [begin, list] : {std::pair{"understood:", &out.understood}, {"assumed:", &out.assumed}})
      if (lower_case(word.substr(0, 11)).rfind(begin, 0) == 0 && list->size() < most_sentences)
        list->push_back(one_line(trimmed(word.substr(std::string(begin).size())), longest_sentence));
  }
}

// Brackets inside brackets, those in texts counted too: enough to keep a parser from endless nesting.
bool too_deep(const std::string& text) {
  constexpr int deepest = 64;
  int depth = 0, most = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    most = std::max(most, depth);
  }
  return most > deepest;
}

// JSON as models write it: comments and commas before brackets are forgiven, and so is what stands around it.
Result<JsonDocument> spec_document(const std::string& text) {
  if (too_deep(text)) return fail("the spec is nested too deeply");
  if (Result<JsonDocument> exact = parse_json(text, "mep.json"); exact && exact->root.is_object())
    return exact;
  const Json mended = first_json(text);
  if (!mended.is_object()) {
    const Result<JsonDocument> exact = parse_json(text, "mep.json");
    return exact ? fail("the spec is no JSON object") : Failure(exact.error());
  }
  return parse_json(mended.dump(2), "mep.json");
}

// Code without comments and blanks, so that a body can be found again however it is laid out.
std::string squeezed(const std::string& code) {
  std::string out;
  for (const char c : code_mask(code))
    if (c != ' ' && c != '\n' && c != '\t') out += c;
  return out;
}

bool is_meant(const SourceFunction& function, const std::vector<std::string>& kernels) {
  if (kernels.empty()) return function.kind == SourceFunction::Kind::kernel;
  return std::find(kernels.begin(), kernels.end(), function.name) != kernels.end();
}

// K(0) is what everything is compared with: it must hold the source's kernels as they were handed in.
Result<void> keeps_bodies(const std::string& original, const CompletionGround& ground) {
  const std::string& source = ground.source;
  const std::string whole = squeezed(original);
  for (const SourceFunction& one : ground.facts.functions) {
    if (one.body.end <= one.body.begin || one.body.end > source.size() || !is_meant(one, ground.kernels))
      continue;
    const std::string body = squeezed(source.substr(one.body.begin, one.body.end - one.body.begin));
    if (whole.find(body) == std::string::npos)
      return fail(
          "original.cpp does not hold the body of " + one.name + " as the source has it",
          "K(0) is what every version is compared with",
          "copy the source's functions unchanged; change what is around them, or leave original.cpp out");
  }
  return {};
}

Result<MepSpec> spec_of(const CompletionReply& reply) {
  Result<JsonDocument> document = spec_document(reply.spec);
  if (!document) return Failure(document.error());
  try {
    return read_mep_spec(*document);
  } catch (const UserError& error) {
    return fail(error.what());
  } catch (const std::exception& error) {
    return fail("the spec cannot be read", error.what());
  }
}

Result<void> fits_together(const MepSpec& spec, const CompletionReply& reply) {
  if (!spec.sequence.empty() && !reply.entry.empty())
    return fail("both the spec's sequence and entry.cpp give the entry", "",
                "leave out one of them; a sequence that can say it is better");
  if (!spec.check.invariants.empty() && reply.check.empty())
    return fail("check.invariants names " + spec.check.invariants + ", but no block is check.cpp");
  const auto generates = [&](const char* gen) {
    return std::any_of(spec.data.begin(), spec.data.end(),
                       [&](const DataSpec& data) { return data.gen == gen; });
  };
  if (generates("file"))  // whatever lies on this machine is none of a model's business
    return fail("a data set has the generator \"file\"", "only the hotspot's owner may name files",
                "use another generator, or \"code\" with inputs.cpp");
  if (generates("code") && reply.inputs.empty())
    return fail("a data set has the generator \"code\", but no block is inputs.cpp");
  return {};
}

}  // namespace

Result<CompletionReply> read_completion_reply(const std::string& reply) {
  if (reply.size() > most_bytes)
    return fail("the answer is longer than " + std::to_string(most_bytes) + " bytes");
  const ReplyText text = read_blocks(reply);
  CompletionReply out;
  for (const ReplyBlock& block : text.blocks) {
    const std::string name = file_of(block);
    if (is_spec(block) && (name.empty() || block.language == "json")) {
      if (!block.closed) return fail("the block with the spec is cut off");
      out.spec = block.content;
    } else if (!name.empty()) {
      if (!block.closed) return fail("the block " + name + " is cut off");
      text_of(out, name) = block.content;
    } else if (is_code_language(block.language)) {
      return fail("a block of code does not say which file it is", "",
                  "begin it with the comment // context.hpp, // original.cpp, // entry.cpp, // inputs.cpp or "
                  "// check.cpp");
    }
  }
  if (out.spec.empty()) out.spec = is_spec({"", "", "", text.outside, true}) ? text.outside : "";
  if (out.spec.empty()) return fail("the answer holds no block ```json with the spec and its params");
  take_sentences(text.outside, out);
  return out;
}

Result<MepDraft> completion_draft(const CompletionReply& reply, const CompletionGround& ground) {
  Result<MepSpec> spec = spec_of(reply);
  if (!spec) return Failure(spec.error());
  if (Result<void> fits = fits_together(*spec, reply); !fits) return Failure(fits.error());
  MepDraft out;
  out.spec = std::move(*spec);
  out.original = reply.original.empty() ? ground.original : reply.original;
  if (!reply.original.empty())
    if (Result<void> kept = keeps_bodies(reply.original, ground); !kept) return Failure(kept.error());
  if (!reply.entry.empty()) out.original += "\n" + reply.entry;
  out.context = reply.context;
  out.inputs = reply.inputs;
  out.check = reply.check;
  out.by = "model";
  out.understood = reply.understood;
  out.assumed = reply.assumed;
  return out;
}

}  // namespace noctune
