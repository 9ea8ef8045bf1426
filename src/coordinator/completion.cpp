#include "coordinator/completion.hpp"

#include "base/digest.hpp"
#include "coordinator/mep_check.hpp"
#include "coordinator/prompts/completion_reply.hpp"
#include "coordinator/repairs.hpp"
#include "evaluator/policy.hpp"
#include "evaluator/source_text.hpp"
#include "evaluator/system_names.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

constexpr int repairs_each = 2;    // of what does not build or is no spec, and of what runs wrong
constexpr int format_repairs = 1;  // beside these
constexpr const char* what_helps =
    "what helps: a call site (\"call_site\"), values of macros (\"defines\"), missing declarations "
    "(\"context\"), or a spec of one's own (\"mep\"); noctune mep writes what was tried, to start from";

// The refusal of a MEP as repairs see it. A spec that is none counts as something that does not build.
Evaluation trouble_of(const Error& error) {
  Evaluation out;
  out.verdict = Verdict::rejected;
  out.message = error.text();
  return out;
}
Evaluation trouble_of(const Baselined& tried) {
  Evaluation out;
  out.verdict = tried.report.failure;
  out.message = tried.report.message;
  out.diagnostics = tried.report.diagnostics;
  return out;
}

// Unlike with versions of a MEP that holds, noise is something that the MEP's author can mend.
FailureKind kind_of(const Evaluation& trouble) {
  return trouble.verdict == Verdict::unstable ? FailureKind::run : failure_kind(trouble);
}

// A model's code may do what any version may, and what the source does itself.
Result<MepSource> permitted(Result<MepSource> mep, const std::string& source) {
  if (!mep) return mep;
  for (const std::string* text : {&mep->original, &mep->context, &mep->inputs, &mep->check})
    if (const auto why = source_objection(*text, source))
      return fail("its code " + *why, "the source itself does not");
  return mep;
}

// The same for what the built MEP asks of the system.
void refuse_forbidden_symbols(Baselined& done, const std::string& source) {
  for (const std::string& symbol : done.report.undefined_symbols) {
    const std::string subject = forbidden_subject(symbol);
    if (subject.empty() || has_word(source, symbol) || !done.report.usable) continue;
    done.report.usable = false;
    done.report.failure = done.baseline.verdict = Verdict::rejected;
    done.report.message = "its code uses " + symbol + " (" + subject + "), which the source does not";
  }
}

class Completion {
 public:
  Completion(CompletionServices services, LoadedHotspot hotspot)
      : s_(std::move(services)), hotspot_(std::move(hotspot)) {
    out_.task = hotspot_.task;
  }

  Task<CompletedMep> run() {
    if (!hotspot_.open) {
      out_.by = "user";
      co_await try_mep(hotspot_.task.mep);
    } else {
      co_await complete();
    }
    co_return std::move(out_);
  }

 private:
  const OpenMep& open() const { return *hotspot_.open; }

  Task<void> complete() {
    if (hotspot_.has_mep()) {
      adopt(*open().draft);
      tell_draft();
      co_await try_mep(hotspot_.task.mep);
      if (out_.usable() || lost()) co_return;
      rules_tried_ = out_.baselined;
    } else {
      out_.baselined.report.failure = out_.baselined.baseline.verdict = Verdict::rejected;
      out_.reason = open().refusal ? open().refusal->text() : "nobody has completed its MEP";
    }
    if (open().by_model && s_.chat) {
      s_.told(false, "rules give no MEP that holds, the model is asked: " + out_.reason);
      co_await ask_model();
    }
    if (out_.usable() || lost()) co_return;
    out_.reason += "; " + std::string(what_helps);
    out_.baselined.report.message = out_.reason;
  }

  bool lost() const { return out_.baselined.report.failure == Verdict::lost; }

  void adopt(const MepDraft& draft) {
    out_.by = draft.by;
    out_.understood = draft.understood;
    out_.assumed = draft.assumed;
  }

  void tell_draft() const {
    for (const std::string& one : out_.understood) s_.told(false, "understood (" + out_.by + "): " + one);
    for (const std::string& one : out_.assumed) s_.told(false, "assumed (" + out_.by + "): " + one);
  }

  Task<void> try_mep(MepSource mep) {
    mep.flags = hotspot_.task.mep.flags;
    mep.libraries = hotspot_.task.mep.libraries;
    out_.task.mep = std::move(mep);
    const int attempt = tried_++;
    out_.baselined = co_await s_.baseline(out_.task, attempt);
    out_.reason = out_.baselined.report.message;
  }

  void prepare_asking() {
    prompt_ = completion_prompt(hotspot_, s_.device);
    prompt_.tried = rules_tried_;
    ground_.source = prompt_.input.source;
    ground_.original = prompt_.original;
    ground_.facts = prompt_.facts;
    ground_.kernels = prompt_.input.kernels;
  }

  // One answer after the other, each told what was wrong with the one before.
  Task<void> ask_model() {
    prepare_asking();
    RepairBudget repairs(repairs_each);
    int formats = 0;
    std::function<ChatRequest()> render = [this] { return complete_prompt(*s_.templates, prompt_); };
    for (int answer = 0;; ++answer) {
      const CallSlot slot = completion_slot(open().input, answer);
      const RecordedReply said = co_await s_.chat->ask(slot, render);
      if (said.reply.outcome != ChatOutcome::ok) {
        out_.reason += "; the model gave no answer: " + said.reply.message;
        co_return;
      }
      ++out_.answers;
      const std::string text = said.reply.text;
      const Result<CompletionReply> read = read_completion_reply(text);
      if (!read) {
        s_.chat->read(slot, "refused: " + read.error().text());
        out_.reason = "the model's answer cannot be read: " + read.error().text();
        if (++formats > format_repairs) co_return;
        const Error& error = read.error();  // copied into the closure
        render = [this, text, error] { return complete_format_prompt(*s_.templates, prompt_, text, error); };
        continue;
      }
      const Evaluation trouble = co_await try_answer(*read);
      s_.chat->read(slot, out_.usable() ? "as asked" : "refused: " + out_.reason);
      if (out_.usable() || lost()) co_return;
      const FailureKind kind = kind_of(trouble);
      if (!repairs.take(kind, failure_signature(trouble))) co_return;
      const FailedCompletion failed{text, trouble, repairs_each - repairs.used(kind) + 1};
      render = [this, failed] { return complete_repair_prompt(*s_.templates, prompt_, failed); };
    }
  }

  // What is wrong with the MEP of an answer; out_ says whether it can be used.
  Task<Evaluation> try_answer(const CompletionReply& reply) {
    Result<MepDraft> draft = completion_draft(reply, ground_);
    Result<MepSource> mep =
        draft ? permitted(lowered(*draft, open().input.hotspot, open().input.backend), open().input.source)
              : Failure(draft.error());
    if (!mep) {
      out_.baselined = {};
      out_.baselined.report.failure = out_.baselined.baseline.verdict = Verdict::rejected;
      out_.reason = "the model's spec: " + mep.error().text();
      co_return trouble_of(mep.error());
    }
    adopt(*draft);
    co_await try_mep(std::move(*mep));
    refuse_forbidden_symbols(out_.baselined, open().input.source);
    out_.reason = out_.baselined.report.message;
    if (out_.usable()) tell_draft();
    co_return trouble_of(out_.baselined);
  }

  CompletionServices s_;
  LoadedHotspot hotspot_;
  CompletedMep out_;
  std::optional<Baselined> rules_tried_;
  CompletionPrompt prompt_;
  CompletionGround ground_;
  int tried_ = 0;
};

}  // namespace

CallSlot completion_slot(const CompletionInput& input, int answer) {
  std::string all = input.source + '\0' + input.backend + '\0' + input.call_site;
  for (const std::string& kernel : input.kernels) all += '\0' + kernel;
  for (const auto& [name, value] : input.defines) all += '\0' + name + '=' + value;
  constexpr int digits = 6;
  CallSlot out;
  out.hotspot = input.hotspot;
  out.sample = static_cast<int>(std::stoul(sha256(all).substr(0, digits), nullptr, 16));
  out.repair = answer;
  out.purpose = "complete";
  return out;
}

CompletionPrompt completion_prompt(const LoadedHotspot& hotspot, const DeviceFacts& device) {
  const OpenMep& open = hotspot.open.value();
  CompletionPrompt out;
  out.input = open.input;
  out.facts = read_source(open.input.source, open.input.defines);
  for (SourceLaunch& launch : read_call_site(open.input.call_site, out.facts))
    out.facts.launches.push_back(std::move(launch));
  out.original = open.draft ? without_entry(*open.draft) : open.input.source;
  out.limits = hotspot.task.mep_limits;
  out.platform = hotspot.task.platform;
  out.flags = hotspot.task.mep.flags;
  out.device = device;
  out.draft = open.draft;
  out.refusal = open.refusal;
  return out;
}

Task<CompletedMep> complete_hotspot(CompletionServices services, LoadedHotspot hotspot) {
  Completion completion(std::move(services), std::move(hotspot));
  CompletedMep out = co_await completion.run();
  co_return out;
}

}  // namespace noctune
