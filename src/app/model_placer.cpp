#include "app/model_placer.hpp"

#include "base/digest.hpp"
#include "base/text.hpp"
#include "coordinator/prompts/diagnostics.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "integration/file_edits.hpp"

namespace noctune {
namespace {

constexpr std::size_t longest_reply = 20000, longest_failure = 2000;

}  // namespace

CallSlot placement_slot(const PlaceQuestion& question) {
  constexpr int digits = 6;
  const PlaceRequest& request = question.request;
  std::string all = request.file + '\0' + request.winner + '\0' + request.original + '\0' + request.call_site;
  for (const std::string& symbol : request.symbols) all += '\0' + symbol;
  CallSlot out;
  out.hotspot = question.hotspot;
  out.sample = static_cast<int>(std::stoul(sha256(all).substr(0, digits), nullptr, 16));
  out.repair = question.repair;
  out.purpose = "place";
  return out;
}

ChatRequest placement_prompt(const PromptTemplates& templates, const PlaceQuestion& question) {
  const PlaceRequest& request = question.request;
  PromptValues values = {
      {"hotspot", question.hotspot},
      {"original", fenced("cpp", clean_text(request.original))},
      {"head", fenced("cpp", winner_head(request).value_or(std::string()) + ";")},
      {"symbols", joined(request.symbols)},
      {"call_site", request.call_site.empty() ? "" : fenced("cpp", clean_text(request.call_site))},
      {"file", fenced("cpp", clean_text(request.file))},
      {"refusal", without_fences(one_line(question.refusal, longest_failure))}};
  const bool repair = question.repair > 0;
  if (repair) {
    Evaluation printed;
    printed.diagnostics = question.diagnostics;
    values["reply"] = fenced("text", capped(clean_text(question.answer), longest_reply));
    values["failure"] = without_paths(without_fences(one_line(question.failure, longest_failure)));
    values["diagnostics"] = diagnostics_text(printed, {});
    values["attempts_left"] = repairs_left_text(question.repairs_left);
  }
  const PromptTemplate& asking = templates.at(repair ? "place_repair" : "place");
  ChatRequest out;
  out.messages = {{ChatRole::system, templates.at("place_system").render(values)},
                  {ChatRole::user, asking.render(values)}};
  out.prompt_template = asking.id();
  return out;
}

ModelPlacer::ModelPlacer(ChatService& chat, Recorder& recorder, const PromptTemplates& templates, Told told)
    : chat_(chat), templates_(templates), told_(std::move(told)), memory_(recorder, silent_, {}) {}

Task<Result<std::string>> ModelPlacer::advise(PlaceQuestion question) {
  SlotChat& chat = chats_
                       .try_emplace(question.hotspot_id, chat_, memory_, question.hotspot_id, told_,
                                    "what no rule can place stays as it is")
                       .first->second;
  std::function<ChatRequest()> render = [this, question] { return placement_prompt(templates_, question); };
  const RecordedReply said = co_await chat.ask(placement_slot(question), std::move(render));
  if (said.reply.outcome != ChatOutcome::ok)
    co_return Result<std::string>(fail(question.refusal + "; the model gave no answer", said.reply.message));
  co_return said.reply.text;
}

void ModelPlacer::heard(const PlaceQuestion& question, const std::string& reading) {
  memory_.call_read(question.hotspot_id, placement_slot(question), reading);
}

}  // namespace noctune
