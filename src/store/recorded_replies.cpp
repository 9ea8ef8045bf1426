#include "store/recorded_replies.hpp"

#include "store/results_file.hpp"

namespace noctune {
namespace {

// Names of hotspots by id.
Result<std::map<long long, std::string>> hotspot_names(const ResultsFile& results) {
  const Result<Hdf5Columns> table = results.columns("hotspots", {"id", "name"});
  if (!table) return Failure(table.error());
  std::map<long long, std::string> out;
  for (std::size_t i = 0; i < table->rows(); ++i) out[table->integers("id")[i]] = table->texts("name")[i];
  return out;
}

CallSlot slot_of(const Hdf5Columns& calls, std::size_t i, const std::string& hotspot) {
  CallSlot out;
  out.hotspot = hotspot;
  out.arm = calls.texts("arm")[i];
  out.replicate = static_cast<int>(calls.integers("replicate")[i]);
  out.round = static_cast<int>(calls.integers("node")[i]);
  out.sample = static_cast<int>(calls.integers("sample")[i]);
  out.repair = static_cast<int>(calls.integers("repair")[i]);
  out.purpose = calls.texts("purpose")[i];
  return out;
}

}  // namespace

Result<std::map<std::string, ChatReply>> recorded_replies(const std::filesystem::path& path) {
  const Result<ResultsFile> results = ResultsFile::open(path);
  if (!results) return Failure(results.error());
  const Result<std::map<long long, std::string>> names = hotspot_names(*results);
  if (!names) return Failure(names.error());
  const Result<Hdf5Columns> calls =
      results->columns("llm_calls", {"hotspot", "arm", "replicate", "node", "sample", "repair", "purpose",
                                     "outcome", "reply_sha", "model_served", "tokens_in", "tokens_cached",
                                     "tokens_out", "tokens_reasoning", "message"});
  if (!calls) return Failure(calls.error());
  std::map<std::string, ChatReply> out;
  for (std::size_t i = 0; i < calls->rows(); ++i) {
    const std::string& outcome = calls->texts("outcome")[i];
    const auto hotspot = names->find(calls->integers("hotspot")[i]);
    if (outcome == "sent" || hotspot == names->end()) continue;
    ChatReply reply;
    reply.outcome = chat_outcome_from(outcome);
    const Result<std::string> text = results->text(calls->texts("reply_sha")[i]);
    if (!text) return Failure(text.error());
    reply.text = *text;
    reply.message = calls->texts("message")[i];
    reply.model_served = calls->texts("model_served")[i];
    reply.usage.in = calls->integers("tokens_in")[i];
    reply.usage.cached = calls->integers("tokens_cached")[i];
    reply.usage.out = calls->integers("tokens_out")[i];
    reply.usage.reasoning = calls->integers("tokens_reasoning")[i];
    out[slot_text(slot_of(*calls, i, hotspot->second))] = std::move(reply);
  }
  return out;
}

}  // namespace noctune
