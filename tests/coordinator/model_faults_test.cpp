// A campaign over real HTTP on loopback, once with a faultless server and once with faults in a fifth of the
// requests: it must end with the same candidates, verdicts and decisions, and every token and request must be
// in the books.
#include <gmock/gmock.h>

#include <mutex>
#include <set>

#include "base/digest.hpp"
#include "coordinator/gather.hpp"
#include "coordinator/greedy_strategy.hpp"
#include "coordinator/model_proposer.hpp"
#include "coordinator/tuning.hpp"
#include "fakes/fake_services.hpp"
#include "fakes/run_all.hpp"
#include "fakes/scripted_server.hpp"
#include "llm/budgeted_chat.hpp"
#include "llm/http_chat.hpp"

namespace noctune {
namespace {

constexpr const char* original_source =
    "extern \"C\" void scale(int n, double* x) { for (int i = 0; i < n; ++i) x[i] *= 2; }";

std::string between(const std::string& text, const std::string& after, const std::string& until) {
  const std::size_t at = text.rfind(after);
  if (at == std::string::npos) return {};
  const std::size_t start = at + after.size();
  return text.substr(start, text.find(until, start) - start);
}

int number_of(const std::string& text, int below) {
  return std::stoi(sha256(text).substr(0, 6), nullptr, 16) % below;
}

// The model: a plan names ideas after what the prompt says; a version multiplies by a number that follows
// from the idea. Equal prompts have equal answers.
std::string model_answer(const std::string& prompt) {
  const std::string name = between(prompt, "Name: ", "\n");
  if (prompt.find("## Your task: write one version") == std::string::npos) {
    const std::string seed = std::to_string(number_of(prompt, 10000));
    std::string plan = "```json\n[";
    const char* kinds[] = {"parallelism", "memory access", "tiling", "arithmetic", "algorithm", "compiler"};
    for (int i = 0; i < 6; ++i)
      plan += std::string(i ? "," : "") + R"({"name": "idea )" + seed + " " + std::to_string(i) +
              R"(", "mechanism": ")" + kinds[i] + R"(", "what": "something", "expected_gain": 1.5})";
    return plan + "]\n```\n";
  }
  const int factor = 3 + number_of(name, 100000);
  return "summary: " + name + "\n\n```cpp\n// noctune: scale\nextern \"C\" void scale(int n, double* x) {\n" +
         "  for (int i = 0; i < n; ++i) x[i] *= " + std::to_string(factor) + ";\n}\n```\n";
}

std::string prompt_in(const ServerRequest& request) {
  std::string out;
  const Json body = Json::parse(request.body);
  for (const Json& message : body.at("messages")) out += message.at("content").get<std::string>();
  return out;
}

ServerReply fault(int kind, const std::string& events) {
  ServerReply out;
  switch (kind) {
    case 0:
      return json_reply(R"({"error":{"message":"slow down","code":"rate_limit_exceeded"}})", 429,
                        {{"retry-after-ms", "30"}});
    case 1:
      return page_reply(502);
    case 2:
      return json_reply(R"({"error":{"message":"busy","type":"overloaded_error"}})", 529);
    case 3:
      return json_reply("", 200);
    case 4:
      return json_reply(R"({"error":{"message":"upstream","code":502}})", 200);
    case 5:
      return stream_reply("data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n");
    case 6:
      out = stream_reply(events.substr(0, events.size() / 3));
      out.end = ServerReply::End::reset;
      return out;
    case 7:
      out = stream_reply(events.substr(0, events.size() / 2));
      out.end = ServerReply::End::close;
      return out;
    case 8:
      out = stream_reply(": still thinking\n\n");
      out.end = ServerReply::End::close;
      return out;
    default:
      return json_reply(R"({"error":{"message":"try later"}})", 503, {{"x-should-retry", "true"}});
  }
}

struct Ending {
  std::set<std::string> candidates;  // place, identity
  std::multiset<std::string> verdicts, winners;
  std::vector<std::string> decisions;  // with candidates by identity
  long long tokens = 0, requests = 0, micros = 0;
  Spending booked;
  int served = 0, faults = 0;
};

class Campaign3 {
 public:
  explicit Campaign3(int every_nth_fails)
      : server_([this, every_nth_fails](const ServerRequest& request) {
          const std::string events = chat_events(model_answer(prompt_in(request)));
          if (every_nth_fails > 0 && request.number % every_nth_fails == 1)
            return fault(faults_++ % 10, events);
          return stream_reply(events);
        }) {
    forget_network_variables();
    settings_.provider = "openai";
    settings_.models = {"m"};
    settings_.base_url = server_.url() + "/v1";
    settings_.local = true;
    settings_.prices.models["m"] = {3, 1, 7};
    settings_.gap_s = 2;
    settings_.first_token_s = 2;
    settings_.retry_s = 20;
    settings_.max_output_tokens = 2000;
    HttpChatOptions options;
    options.retry.base_s = 0.01;
    options.retry.cap_s = 0.05;
    http_ = make_http_chat(io_, settings_, ApiKey(), options);
    chat_ = std::make_unique<BudgetedChat>(io_, *http_, settings_);
    templates_ = std::make_shared<PromptTemplates>(value_or_throw(PromptTemplates::load()));
    evaluation_.behaviour[original_source] = {};
    evaluation_.on_evaluate = [this](const EvaluationTask& task) {
      const std::string& source = task.candidate.source;
      if (evaluation_.behaviour.contains(source)) return;
      const int draw = number_of(source, 10);
      evaluation_.behaviour[source] = {1 + 0.2 * number_of(source + "speed", 10),
                                       draw == 0 ? Verdict::wrong_result : Verdict::ok};
    };
  }

  Ending run() {
    std::vector<Task<TuningResult>> all;
    for (int hotspot = 1; hotspot <= 3; ++hotspot) all.push_back(tune(hotspot));
    Ending out;
    auto main = [&]() -> Task<void> {
      const std::vector<TuningResult> results = co_await gather(io_, std::move(all));
      for (const TuningResult& one : results)
        for (const Finalist& finalist : one.main()->finalists) out.winners.insert(finalist.candidate.sha);
    };
    run_all(io_, main());
    for (const Candidate& one : memory_.candidates) out.candidates.insert(one.hypothesis + " " + one.sha);
    for (const EvaluationTask& task : evaluation_.tasks)
      out.verdicts.insert(std::string(to_text(task.purpose)) + task.candidate.sha + task.reference.sha);
    for (std::string decision : memory_.decisions) out.decisions.push_back(with_identities(decision));
    std::sort(out.decisions.begin(), out.decisions.end());
    for (const auto& [slot, call] : memory_.calls) {
      const ChatReply& reply = call.record.reply;
      EXPECT_EQ(reply.outcome, ChatOutcome::ok) << slot << ": " << reply.message;
      out.tokens += reply.usage.in + reply.usage.out;
      out.requests += reply.attempts;
      out.micros += micros_of(reply.cost);
    }
    out.booked = chat_->budget().settled();
    EXPECT_EQ(chat_->budget().reserved(), Spending());
    out.served = static_cast<int>(server_.requests().size());
    out.faults = faults_;
    return out;
  }

 private:
  std::string with_identities(std::string text) const {
    const std::size_t at = text.find("candidate ");
    if (at == std::string::npos) return text;
    const long long id = std::stoll(text.substr(at + 10));
    for (const auto& [sha, known] : memory_.ids)
      if (known == id) return text.substr(0, at) + sha.substr(0, 12) + text.substr(text.find(' ', at + 10));
    return text;
  }

  Task<TuningResult> tune(int hotspot) {
    PrepareTask task;
    task.mep.hotspot = "h" + std::to_string(hotspot);
    task.mep.original = original_source;
    task.mep.spec.entry = "scale";
    ParamSpec n, x;
    n.name = "n";
    n.type = "int";
    n.value = "n";
    x.name = "x";
    x.type = "double*";
    x.count = "n";
    x.role = Role::inout;
    task.mep.spec.params = {n, x};
    task.search.rounds = 3;
    task.search.candidates = 3;
    task.search.confirm_pairs = 2;
    task.search.patience = 3;
    TuningServices services{
        io_,
        evaluation_,
        memory_,
        {Arm{}},
        [this, hotspot](const Arm& arm, const ArmGround& ground, const std::vector<ArmResult>&) {
          ArmPlan out;
          out.arm = arm;
          out.strategy = std::make_unique<GreedyStrategy>(ground.task.search, ground.original.id);
          ModelProposerSetup setup{io_,
                                   templates_,
                                   arm,
                                   ground,
                                   evaluation_.devices().front(),
                                   {},
                                   [](bool, const std::string&) {}};
          SlotChat slots(*chat_, memory_, hotspot, [](const std::string& text) { ADD_FAILURE() << text; });
          out.proposers.push_back(std::make_unique<ModelProposer>(std::move(setup), std::move(slots)));
          return out;
        },
        [] { return false; }};
    LoadedHotspot loaded{std::move(task), {}};
    TuningResult result = co_await tune_hotspot(std::move(services), hotspot, std::move(loaded));
    co_return result;
  }

  std::atomic<int> faults_ = 0;
  ScriptedServer server_;
  asio::io_context io_;
  ModelSettings settings_;
  std::unique_ptr<ChatService> http_;
  std::unique_ptr<BudgetedChat> chat_;
  std::shared_ptr<PromptTemplates> templates_;
  FakeEvaluation evaluation_;
  FakeMemory memory_;
};

TEST(ModelFaults, AFifthOfTheRequestsFailsAndTheRowsAreTheSame) {
  const Ending clean = Campaign3(0).run();
  const Ending faulty = Campaign3(5).run();
  EXPECT_EQ(clean.faults, 0);
  EXPECT_GE(faulty.faults, 9);
  EXPECT_GE(clean.served, 36);  // three hotspots, three rounds of a plan and three versions; repairs
  EXPECT_TRUE(faulty.candidates == clean.candidates);
  EXPECT_TRUE(faulty.verdicts == clean.verdicts);
  EXPECT_TRUE(faulty.winners == clean.winners);
  EXPECT_TRUE(faulty.decisions == clean.decisions);
  for (const Ending& one : {clean, faulty}) {
    EXPECT_EQ(one.requests, one.served);
    EXPECT_EQ(one.booked.requests, one.served);
    EXPECT_EQ(one.booked.tokens, one.tokens);
    EXPECT_EQ(one.booked.micros, one.micros);
  }
  EXPECT_GE(faulty.tokens, clean.tokens);
}

}  // namespace
}  // namespace noctune
