// Versions from a language model: a plan of hypotheses for a round, a call for each of those chosen, and
// calls that mend what the gates refused.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "coordinator/arm_run.hpp"
#include "coordinator/prompts/prompts.hpp"
#include "coordinator/prompts/version.hpp"
#include "coordinator/slot_chat.hpp"

namespace noctune {

// What the proposer needs of the patterns; without them every function is empty.
struct PatternDesk {
  std::function<KernelFeatures(const Candidate& base)> features;
  std::function<std::vector<OfferedPattern>(const Candidate& base)> offer;
  // The name of a pattern that was offered as this id, now or in an earlier run; empty when there is none.
  std::function<std::string(const std::string& id)> name_of;
  // A call was made with these patterns, and the answer says that it used those ids.
  std::function<void(const std::string& slot, long long call, const std::vector<OfferedPattern>& offered,
                     const std::vector<std::string>& used)>
      tried;
  std::function<void(std::vector<Pattern> drafts)> learnt;
};

struct ModelProposerSetup {
  asio::io_context& io;
  std::shared_ptr<const PromptTemplates> templates;
  Arm arm;
  ArmGround ground;
  DeviceFacts device;
  PatternDesk patterns;
  std::function<void(bool warning, const std::string&)> told;
};

class ModelProposer final : public Proposer {
 public:
  ModelProposer(ModelProposerSetup setup, SlotChat chat) : s_(std::move(setup)), chat_(std::move(chat)) {}

  std::string name() const override { return "model"; }
  // Moves of the kinds "direct" and "sampling" are answered without plan, history or patterns.
  Task<void> propose(std::vector<Move> moves, std::vector<Attempt> history, Found found) override;
  Task<std::optional<Candidate>> repair(Move move, Attempt failed, Evaluation evaluation, int n) override;
  Task<void> conclude(std::vector<Attempt> attempts) override;
  bool gone() const override { return chat_.gone(); }
  ArmUsage used() const override { return chat_.used(); }

 private:
  // What a version is written for, kept for its repairs.
  struct Written {
    PromptInput input;
    Hypothesis hypothesis;
  };

  CallSlot slot(const Move& move, const char* purpose, int repair = 0) const;
  PromptInput input_for(const Move& move, std::vector<Attempt> history) const;
  Task<std::vector<Hypothesis>> plan(const Move& first, const PromptInput& input, int wanted);
  Task<std::optional<Candidate>> write(Move move, Written what);
  // Asks, reads, and asks once more where the answer cannot be read.
  Task<std::optional<Candidate>> version(CallSlot slot, const Written& what, std::string base,
                                         std::function<ChatRequest()> render);
  Candidate candidate(const CallSlot& slot, WrittenVersion&& version, const Written& what,
                      const RecordedReply& answer);

  ModelProposerSetup s_;
  SlotChat chat_;
  std::map<std::pair<int, int>, Written> written_;  // by round and index
};

}  // namespace noctune
