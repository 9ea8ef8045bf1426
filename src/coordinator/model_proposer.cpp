#include "coordinator/model_proposer.hpp"

#include <algorithm>
#include <tuple>

#include "coordinator/gather.hpp"
#include "coordinator/patterns/summary_answer.hpp"
#include "coordinator/prompts/choice.hpp"
#include "coordinator/prompts/plan_reply.hpp"

namespace noctune {
namespace {

constexpr int hypotheses_per_version = 2;  // a plan has twice as many ideas as are tried
constexpr int drafts_per_summary = 3;

bool unassisted(const Move& move) {
  return move.kind == "direct" || move.kind == "sampling";
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : "; ") + word;
  return out;
}

// Where a plan cannot be read: the mechanisms in turn, for the model to fill in.
std::vector<Hypothesis> open_hypotheses(int wanted, int round) {
  std::vector<Hypothesis> out;
  for (int i = 0; i < wanted; ++i) {
    Hypothesis one;
    one.mechanism = mechanisms[static_cast<std::size_t>(round + i) % mechanisms.size()];
    one.name = one.mechanism;
    one.what = "the change of the kind \"" + one.mechanism + "\" that promises most here";
    out.push_back(one);
  }
  return out;
}

const Attempt* attempt_of(const std::vector<Attempt>& history, long long id) {
  for (const Attempt& attempt : history)
    if (attempt.candidate.id == id) return &attempt;
  return nullptr;
}

}  // namespace

CallSlot ModelProposer::slot(const Move& move, const char* purpose, int repair) const {
  CallSlot out;
  out.hotspot = s_.ground.task.mep.hotspot;
  out.arm = s_.arm.name;
  out.replicate = s_.arm.replicate;
  out.round = move.round + 1;
  out.sample = move.index;
  out.repair = repair;
  out.purpose = purpose;
  return out;
}

PromptInput ModelProposer::input_for(const Move& move, std::vector<Attempt> history) const {
  PromptInput out;
  out.task = s_.ground.task;
  out.report = s_.ground.mep;
  out.device = s_.device;
  out.base = move.base;
  out.references = move.references;
  out.rounds_left = s_.ground.task.search.rounds - move.round;
  if (s_.patterns.offer) {
    const Attempt* base = attempt_of(history, move.base);
    out.patterns = s_.patterns.offer(base ? base->candidate : s_.ground.original);
    out.features = s_.patterns.features(base ? base->candidate : s_.ground.original);
  }
  // In an order that does not depend on which answer came first: the same campaign sends the same prompts.
  std::stable_sort(history.begin(), history.end(), [](const Attempt& a, const Attempt& b) {
    return std::tie(a.round, a.index, a.repair) < std::tie(b.round, b.index, b.repair);
  });
  out.history = std::move(history);
  return out;
}

Task<void> ModelProposer::propose(std::vector<Move> moves, std::vector<Attempt> history, Found found) {
  const Move first = moves.front();
  PromptInput input = input_for(first, std::move(history));
  const int wanted = static_cast<int>(moves.size());
  std::vector<Hypothesis> chosen(moves.size());
  if (!unassisted(first)) {
    if (s_.ground.profile) {
      const Attempt* base = attempt_of(input.history, first.base);
      Candidate version = base ? base->candidate : s_.ground.original;
      input.guidance = co_await s_.ground.profile(std::move(version));
    }
    std::vector<Hypothesis> plan_made = co_await plan(first, input, hypotheses_per_version * wanted);
    chosen = choose(std::move(plan_made), wanted, input.history, first.round);
  }
  std::vector<Task<bool>> writes;
  for (std::size_t i = 0; i < std::min(moves.size(), chosen.size()); ++i) {
    auto one = [](ModelProposer& self, Move move, Written what, std::size_t at, Found& take) -> Task<bool> {
      std::optional<Candidate> version = co_await self.write(std::move(move), std::move(what));
      if (version) take(at, std::move(*version));
      co_return version.has_value();
    };
    Written what{input, chosen[i]};
    writes.push_back(one(*this, moves[i], std::move(what), i, found));
  }
  (void)co_await gather(s_.io, std::move(writes));
}

Task<std::vector<Hypothesis>> ModelProposer::plan(const Move& first, const PromptInput& input, int wanted) {
  const int versions = wanted / hypotheses_per_version;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const CallSlot where = slot(first, "plan", attempt);
    std::function<ChatRequest()> render = [&] { return plan_prompt(*s_.templates, input, wanted); };
    const RecordedReply answer = co_await chat_.ask(where, render);
    if (answer.reply.outcome != ChatOutcome::ok) break;
    Result<std::vector<Hypothesis>> ideas = read_plan(answer.reply.text);
    chat_.read(where,
               ideas ? std::to_string(ideas->size()) + " hypotheses" : "refused: " + ideas.error().text());
    if (s_.patterns.tried) {
      std::vector<std::string> used;
      if (ideas)
        for (const Hypothesis& idea : *ideas)
          used.insert(used.end(), idea.patterns.begin(), idea.patterns.end());
      s_.patterns.tried(slot_text(where), answer.call, input.patterns, used);
    }
    if (ideas) co_return std::move(*ideas);
  }
  std::vector<Hypothesis> none;
  if (!chat_.gone()) none = open_hypotheses(versions, first.round);
  co_return none;
}

Task<std::optional<Candidate>> ModelProposer::write(Move move, Written what) {
  const Attempt* base = attempt_of(what.input.history, move.base);
  const bool from_original = unassisted(move) || what.hypothesis.radical || base == nullptr;
  const std::string source = from_original ? s_.ground.original.source : base->candidate.source;
  written_[{move.round, move.index}] = what;
  std::function<ChatRequest()> render = [&] {
    if (move.kind == "direct") return direct_prompt(*s_.templates, what.input);
    if (move.kind == "sampling") return sampling_prompt(*s_.templates, what.input);
    return write_prompt(*s_.templates, what.input, what.hypothesis);
  };
  const CallSlot where = slot(move, "write");
  std::optional<Candidate> out = co_await version(where, what, source, render);
  if (!out) co_return out;
  out->base = from_original ? s_.ground.original.id : move.base;
  if (!from_original) out->strategies = base->candidate.strategies;
  out->strategies.push_back(unassisted(move) ? move.kind : what.hypothesis.name);
  if (unassisted(move)) {
    out->kind = move.kind;
    out->predicted_gain = 0;  // nobody said anything
  }
  co_return out;
}

Task<std::optional<Candidate>> ModelProposer::version(CallSlot where, const Written& what, std::string base,
                                                      std::function<ChatRequest()> render) {
  RecordedReply answer = co_await chat_.ask(where, render);
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (answer.reply.outcome != ChatOutcome::ok) break;
    Result<WrittenVersion> read = read_version(answer.reply.text, s_.ground.task.mep, base);
    if (read) {
      chat_.read(where, read->mended.empty() ? "as asked" : "mended: " + listed(read->mended));
      co_return candidate(where, std::move(*read), what, answer);
    }
    chat_.read(where, "refused: " + read.error().text());
    s_.told(false, "an answer cannot be used: " + read.error().text());
    if (attempt > 0) break;
    const std::string text = answer.reply.text;
    const Error error = read.error();
    where.purpose = "format";
    std::function<ChatRequest()> again = [&] {
      return format_prompt(*s_.templates, what.input, text, error);
    };
    answer = co_await chat_.ask(where, again);
  }
  co_return std::nullopt;
}

Candidate ModelProposer::candidate(const CallSlot& where, WrittenVersion&& version, const Written& what,
                                   const RecordedReply& answer) {
  Candidate out;
  out.source = std::move(version.source);
  out.extra_flags = std::move(version.flags);
  out.proposer = "model";
  out.kind = what.hypothesis.mechanism;
  out.hypothesis = version.summary.empty() ? what.hypothesis.what : version.summary;
  out.call = answer.call;
  out.prompt_template = s_.arm.name == "loop" ? where.purpose : s_.arm.name;
  out.predicted_gain = what.hypothesis.expected_gain;
  std::vector<std::string> ids = version.patterns;
  ids.insert(ids.end(), what.hypothesis.patterns.begin(), what.hypothesis.patterns.end());
  for (const std::string& id : ids) {
    const std::string name = s_.patterns.name_of ? s_.patterns.name_of(id) : std::string();
    if (!name.empty() && std::find(out.patterns.begin(), out.patterns.end(), name) == out.patterns.end())
      out.patterns.push_back(name);
  }
  if (s_.patterns.tried)
    s_.patterns.tried(slot_text(where), answer.call, what.input.patterns, version.patterns);
  return out;
}

Task<std::optional<Candidate>> ModelProposer::repair(Move move, Attempt failed, Evaluation evaluation,
                                                     int n) {
  const auto found = written_.find({move.round, move.index});
  if (found == written_.end() || chat_.gone() || unassisted(move)) co_return std::nullopt;
  Written what = found->second;
  what.input.attempts_left = std::max(1, 2 * s_.ground.task.search.repairs - n + 1);
  std::function<ChatRequest()> render = [&] {
    return repair_prompt(*s_.templates, what.input, failed.candidate, evaluation, what.hypothesis);
  };
  const CallSlot where = slot(move, "repair", n);
  std::optional<Candidate> out = co_await version(where, what, failed.candidate.source, render);
  if (!out) co_return out;
  out->base = failed.candidate.base;
  out->strategies = failed.candidate.strategies;
  out->kind = failed.candidate.kind;
  co_return out;
}

// Patterns are worth a call only where something was gained.
Task<void> ModelProposer::conclude(std::vector<Attempt> attempts) {
  const bool gained = std::any_of(attempts.begin(), attempts.end(), [](const Attempt& one) {
    return one.verdict == Verdict::ok && one.speedup > 0 && 1 - 1 / one.speedup > one.smallest_gain &&
           one.smallest_gain > 0;
  });
  if (!s_.patterns.learnt || !gained || gone()) co_return;
  Move last;
  for (const Attempt& attempt : attempts) last.round = std::max(last.round, attempt.round);
  PromptInput input = input_for(last, std::move(attempts));
  const CallSlot where = slot(last, "summarise");
  std::function<ChatRequest()> render = [&] {
    return summarise_prompt(*s_.templates, input, drafts_per_summary);
  };
  const RecordedReply answer = co_await chat_.ask(where, render);
  if (answer.reply.outcome != ChatOutcome::ok) co_return;
  Result<std::vector<Pattern>> drafts = read_patterns(answer.reply.text);
  chat_.read(where,
             drafts ? std::to_string(drafts->size()) + " patterns" : "refused: " + drafts.error().text());
  if (drafts) s_.patterns.learnt(std::move(*drafts));
}

}  // namespace noctune
