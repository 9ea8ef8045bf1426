#include "store/recorder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "model/evaluation_json.hpp"
#include "store/example_campaign.hpp"
#include "store/journal.hpp"
#include "store/lease.hpp"
#include "store/rebuild.hpp"
#include "store/results_file.hpp"

namespace noctune {
namespace {
namespace fs = std::filesystem;

class RecorderTest : public testing::Test {
 protected:
  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("recorder-test"));
  fs::path target_ = scratch_.path() / "results.h5";

  std::unique_ptr<Recorder> open() { return value_or_throw(Recorder::open(target_, example::header())); }
  long long rows(const std::string& table, const std::string& column = "hotspot") {
    return static_cast<long long>(
        value_or_throw(ResultsFile::open(target_)).columns(table, {column})->rows());
  }
};

TEST_F(RecorderTest, IdsCountFromOneAndAreStable) {
  auto recorder = open();
  EXPECT_FALSE(recorder->resumed());
  HotspotRow row;
  row.name = "a";
  EXPECT_EQ(recorder->hotspot(row), 1);
  EXPECT_EQ(recorder->hotspot(row), 1);
  row.name = "b";
  EXPECT_EQ(recorder->hotspot(row), 2);
  CaseRow size;
  size.hotspot = 1;
  size.name = "main";
  EXPECT_EQ(recorder->case_(size), 1);
  size.hotspot = 2;
  EXPECT_EQ(recorder->case_(size), 2);
  const Candidate one = example::candidate("x");
  EXPECT_EQ(recorder->candidate(1, 1, 0, one), 1);
  EXPECT_EQ(recorder->candidate(1, 1, 0, one), 1);
  EXPECT_EQ(recorder->candidate(1, 1, 1, one), 2);
  Candidate loop = one, again = one;
  loop.arm = "loop";
  again.replicate = 1;
  EXPECT_EQ(recorder->candidate(1, 1, 0, loop), 3);
  EXPECT_EQ(recorder->candidate(1, 1, 0, again), 4);
  EXPECT_EQ(recorder->candidate(2, 1, 0, one), 5);
  EXPECT_EQ(recorder->candidate(1, 1, 0, example::candidate("y")), 6);
}

ChatRequest small_request() {
  ChatRequest out;
  out.prompt_template = "write/1";
  out.messages = {{ChatRole::system, "be brief"}, {ChatRole::user, "make it fast"}};
  return out;
}

ChatReply small_reply(ChatOutcome outcome) {
  ChatReply out;
  out.outcome = outcome;
  out.text = outcome == ChatOutcome::ok ? "done \xe2\x86\x92 fast" : "";
  out.usage.in = 100;
  out.usage.out = 20;
  out.cost = 0.125;
  out.attempts = 2;
  out.model_served = "m-1";
  return out;
}

TEST_F(RecorderTest, AnAnsweredSlotIsKnownInTheNextRunAndAnOpenOneIsNot) {
  CallSlot answered{"gemm", "loop", 0, 1, 0, 0, "write"}, open_one = answered, failed = answered;
  open_one.sample = 1;
  failed.sample = 2;
  {
    auto recorder = open();
    EXPECT_EQ(recorder->call_sent(1, answered, small_request()), 1);
    EXPECT_EQ(recorder->call_sent(1, open_one, small_request()), 2);
    EXPECT_EQ(recorder->call_sent(1, failed, small_request()), 3);
    EXPECT_FALSE(recorder->known_call(1, answered));
    recorder->call_answered(1, answered, small_reply(ChatOutcome::ok));
    recorder->call_read(1, answered, "as asked");
    recorder->call_answered(1, failed, small_reply(ChatOutcome::transport));
    value_or_throw(recorder->finish("stopped"));
  }
  const double later = wall_seconds();
  auto recorder = open();
  const auto known = recorder->known_call(1, answered);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->call, 1);
  EXPECT_EQ(known->reply.text, small_reply(ChatOutcome::ok).text);
  EXPECT_EQ(known->reply.usage.in, 100);
  EXPECT_FALSE(recorder->known_call(1, open_one));
  EXPECT_FALSE(recorder->known_call(1, failed));  // worth asking again
  EXPECT_FALSE(recorder->known_call(2, answered));
  const auto as_it_was = recorder->open_call(1, open_one);
  ASSERT_TRUE(as_it_was);
  ASSERT_EQ(as_it_was->messages.size(), 2U);
  EXPECT_EQ(as_it_was->messages[1].content, "make it fast");
  EXPECT_EQ(as_it_was->prompt_template, "write/1");
  EXPECT_EQ(recorder->call_sent(1, open_one, small_request()), 2);
  EXPECT_EQ(recorder->call_sent(1, failed, small_request()), 3);
  recorder->call_answered(1, failed, small_reply(ChatOutcome::ok));
  // What earlier tries of a slot cost stays counted, and that one was never answered.
  double cost = 0;
  long long requests = 0, unanswered = 0;
  for (const SpentCall& call : recorder->spent_calls()) {
    cost += call.cost;
    requests += call.requests;
    unanswered += call.unanswered;
  }
  EXPECT_EQ(cost, 3 * 0.125);
  EXPECT_EQ(requests, 6);
  EXPECT_EQ(unanswered, 2);
  value_or_throw(recorder->finish("finished"));
  const ResultsFile file = value_or_throw(ResultsFile::open(target_));
  EXPECT_EQ(rows("llm_calls"), 3);
  const Hdf5Columns calls =
      value_or_throw(file.columns("llm_calls", {"outcome", "reply_sha", "reading", "sent"}));
  EXPECT_EQ(calls.texts("outcome").at(0), "ok");
  EXPECT_EQ(calls.texts("reading").at(0), "as asked");
  EXPECT_EQ(calls.texts("outcome").at(1), "sent");
  const std::vector<double> sent = calls.numbers("sent");
  EXPECT_GT(sent.at(0), later - 600);  // when it was asked, not when it was answered or read
  EXPECT_LE(sent.at(0), later);
  EXPECT_GE(sent.at(1), later);  // asked again in this run
  EXPECT_EQ(value_or_throw(file.text(calls.texts("reply_sha").at(0))), small_reply(ChatOutcome::ok).text);
}

TEST_F(RecorderTest, AnEvaluationTakesAnIdForEachTimedCase) {
  auto recorder = open();
  const Evaluation two = example::timed(1, 2);
  EXPECT_EQ(recorder->evaluation(example::context(1, 1, Purpose::screen, 1, "a"), two), 1);
  EXPECT_EQ(recorder->evaluation(example::context(1, 1, Purpose::screen, 1, "b"), two), 3);
  EXPECT_EQ(recorder->evaluation(example::context(1, 1, Purpose::screen, 1, "a"), two), 1);
  EXPECT_EQ(recorder->evaluation(example::context(1, 1, Purpose::screen, 1, "c"),
                                 example::failed(Verdict::run_failed, "", "")),
            5);
  EXPECT_EQ(recorder->evaluation(example::context(1, 1, Purpose::screen, 1, ""), two), 6);
  EXPECT_EQ(recorder->evaluation(example::context(1, 1, Purpose::screen, 1, ""), two), 8);
}

TEST_F(RecorderTest, AnswersKnownEvaluationsWhole) {
  const Evaluation original = example::timed(0.1, 0.3);
  {
    auto recorder = open();
    EXPECT_FALSE(recorder->known_evaluation("key"));
    recorder->evaluation(example::context(1, 1, Purpose::screen, 1, "key"), original);
    ASSERT_TRUE(recorder->known_evaluation("key"));
    EXPECT_EQ(to_json(*recorder->known_evaluation("key")), to_json(original));
    value_or_throw(recorder->sync());
  }
  auto recorder = open();
  EXPECT_TRUE(recorder->resumed());
  EXPECT_EQ(recorder->known_evaluations(), 1u);
  ASSERT_TRUE(recorder->known_evaluation("key"));
  EXPECT_EQ(to_json(*recorder->known_evaluation("key")), to_json(original));
}

TEST_F(RecorderTest, WhatWasLostIsMeasuredAgain) {
  auto recorder = open();
  const EvaluationContext context = example::context(1, 1, Purpose::screen, 1, "key");
  const long long lost = recorder->evaluation(context, example::failed(Verdict::lost, "a rank died", ""));
  EXPECT_FALSE(recorder->known_evaluation("key"));
  EXPECT_NE(recorder->evaluation(context, example::timed(1, 2)), lost);
  EXPECT_EQ(recorder->known_evaluation("key")->verdict, Verdict::ok);
}

TEST_F(RecorderTest, ASecondRunOfTheSameCampaignAddsNothing) {
  {
    auto recorder = open();
    example::record(*recorder);
    value_or_throw(recorder->finish("finished"));
  }
  const long long evaluations = rows("evaluations"), candidates = rows("candidates");
  auto recorder = open();
  EXPECT_TRUE(recorder->resumed());
  example::record(*recorder);
  const BuildFacts facts = value_or_throw(recorder->finish("finished"));
  EXPECT_EQ(rows("evaluations"), evaluations);
  EXPECT_EQ(rows("candidates"), candidates);
  EXPECT_EQ(rows("hotspots", "id"), 3);
  EXPECT_EQ(facts.runs, 2);
  EXPECT_TRUE(facts.problems.empty()) << facts.problems.front();
}

TEST_F(RecorderTest, APendingRowKeepsTheVerdictOfAnEarlierRun) {
  HotspotRow row;
  row.name = "a";
  row.verdict = HotspotVerdict::faster;
  row.standalone_speedup = 2;
  {
    auto recorder = open();
    recorder->hotspot(row);
    value_or_throw(recorder->sync());
  }
  auto recorder = open();
  HotspotRow fresh;
  fresh.name = "a";
  recorder->hotspot(fresh);
  EXPECT_EQ(recorder->known_hotspot("a")->verdict, HotspotVerdict::faster);
  row.verdict = HotspotVerdict::indistinguishable;
  recorder->hotspot(row);
  EXPECT_EQ(recorder->known_hotspot("a")->verdict, HotspotVerdict::indistinguishable);
}

TEST_F(RecorderTest, RefusesASecondCopyAndOtherCampaigns) {
  {
    auto recorder = open();
    const auto second = Recorder::open(target_, example::header());
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().problem.find("in use by another run"), std::string::npos);
    value_or_throw(recorder->finish("finished"));
  }
  RunHeader other = example::header();
  other.campaign = "other";
  const auto mixed = Recorder::open(target_, other);
  ASSERT_FALSE(mixed);
  EXPECT_NE(mixed.error().reason.find("campaign \"example\""), std::string::npos);
  EXPECT_FALSE(fs::exists(lease_path(target_))) << "a refused run must not hold the lease";
}

TEST_F(RecorderTest, RefusesResultsMadeUnderOtherSettings) {
  value_or_throw(open()->sync());
  RunHeader header = example::header();
  header.decides["search.repeats"] = "15";
  const auto other = Recorder::open(target_, header);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().reason, "search.repeats: 30 before, 15 now");
  EXPECT_NE(other.error().hint.find("--force-new"), std::string::npos);
  EXPECT_FALSE(fs::exists(lease_path(target_)));
  header = example::header();
  header.decides.erase("hotspots.a");
  header.decides["hotspots.b"] = "new";
  EXPECT_TRUE(Recorder::open(target_, header)) << "hotspots may come and go";
}

TEST_F(RecorderTest, RefusesAResultsFileWhoseJournalIsGone) {
  value_or_throw(open()->finish("finished"));
  fs::remove_all(journal_folder(target_));
  const auto recorder = Recorder::open(target_, example::header());
  ASSERT_FALSE(recorder);
  EXPECT_NE(recorder.error().reason.find("their journal is gone"), std::string::npos);
}

TEST_F(RecorderTest, RefusesAFileThatIsNotOurs) {
  value_or_throw(write_file(target_, "precious notes"));
  EXPECT_FALSE(Recorder::open(target_, example::header()));
  EXPECT_EQ(value_or_throw(read_file(target_)), "precious notes");
  RunHeader header = example::header("../../evil");
  fs::remove(target_);
  EXPECT_FALSE(Recorder::open(target_, header));
}

TEST_F(RecorderTest, StopsCommittingWhenTheLeaseIsLost) {
  auto recorder = open();
  value_or_throw(write_file(lease_path(target_), R"({"run":"thief","host":"far","pid":1})"));
  EXPECT_FALSE(recorder->sync());
  EXPECT_TRUE(recorder->failure());
  const long long before =
      static_cast<long long>(fs::file_size(fs::directory_iterator(journal_folder(target_))->path()));
  recorder->event(0, EventLevel::info, -1, "never written");
  EXPECT_EQ(static_cast<long long>(fs::file_size(fs::directory_iterator(journal_folder(target_))->path())),
            before);
  EXPECT_FALSE(recorder->finish("finished"));
}

TEST_F(RecorderTest, TellsOfATakeoverInAnEvent) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto recorder = Recorder::open(target_, example::header());
    if (!recorder) ::_exit(1);
    example::record(**recorder);
    ::_exit((*recorder)->sync() ? 0 : 1);  // dies without giving the lease back
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  auto recorder = open();
  EXPECT_TRUE(recorder->resumed());
  value_or_throw(recorder->finish("finished"));
  const auto events =
      value_or_throw(value_or_throw(ResultsFile::open(target_)).columns("events", {"text", "run"}));
  ASSERT_GE(events.rows(), 2u);
  EXPECT_NE(events.texts("text").back().find("took over the lease"), std::string::npos);
  EXPECT_EQ(events.integers("run").back(), 2);
  const auto runs = value_or_throw(value_or_throw(ResultsFile::open(target_)).columns("runs", {"status"}));
  EXPECT_EQ(runs.texts("status"), (std::vector<std::string>{"interrupted", "finished"}));
}

TEST_F(RecorderTest, RebuildsInTheBackgroundWhileRecording) {
  auto recorder = open();
  example::record(*recorder);
  ASSERT_TRUE(recorder->start_rebuild());
  EXPECT_FALSE(recorder->start_rebuild()) << "one at a time";
  std::optional<Result<BuildFacts>> facts;
  for (int i = 0; !facts; ++i) {
    recorder->event(0, EventLevel::info, -1, "event " + std::to_string(i));
    facts = recorder->take_rebuild();
  }
  ASSERT_TRUE(*facts) << facts->error().text();
  EXPECT_FALSE(recorder->take_rebuild());
  EXPECT_EQ((*facts)->rows.at("hotspots"), 3);
  EXPECT_EQ(value_or_throw(ResultsFile::open(target_)).attribute("status"), "running");
  EXPECT_EQ(value_or_throw(ResultsFile::open(target_)).attribute("finished"), "");
}

TEST_F(RecorderTest, RebuildVerbMakesTheFileAgain) {
  EXPECT_FALSE(rebuild_results(target_, false)) << "no journal";
  {
    auto recorder = open();
    example::record(*recorder);
    EXPECT_FALSE(rebuild_results(target_, false)) << "a live run holds the lease";
    value_or_throw(recorder->sync());
  }
  const BuildFacts facts = value_or_throw(rebuild_results(target_, false));
  EXPECT_EQ(facts.rows.at("hotspots"), 3);
  EXPECT_EQ(value_or_throw(ResultsFile::open(target_)).attribute("status"), "interrupted");
  value_or_throw(rebuild_results(target_, true));
  EXPECT_TRUE(fs::exists(target_));
  EXPECT_FALSE(fs::exists(journal_folder(target_)));
}

TEST_F(RecorderTest, GenericRowsGetIdsAndUnknownTablesAreRefused) {
  auto recorder = open();
  EXPECT_EQ(recorder->row("patterns", {{"name", "tiling"}}), 1);
  EXPECT_EQ(recorder->row("patterns", {{"name", "fusion"}}), 2);
  EXPECT_EQ(recorder->row("patterns", {{"id", 1}, {"name", "tiling"}, {"status", "admitted"}}), 1);
  EXPECT_EQ(recorder->row("ceilings", {{"device", 1}, {"name", "fp64"}, {"value", 1.0}}), -1);
  value_or_throw(recorder->rebuild());
  const auto patterns =
      value_or_throw(value_or_throw(ResultsFile::open(target_)).columns("patterns", {"name", "status"}));
  EXPECT_EQ(patterns.texts("status"), (std::vector<std::string>{"admitted", "none"}));
  EXPECT_EQ(recorder->row("nonsense", Json::object()), -1);
  EXPECT_FALSE(recorder->sync());
}

TEST_F(RecorderTest, StoresATextOnce) {
  auto recorder = open();
  const std::string sha = recorder->text("log", "binary \xff\0 text");
  const long long size =
      static_cast<long long>(fs::file_size(fs::directory_iterator(journal_folder(target_))->path()));
  EXPECT_EQ(recorder->text("log", "binary \xff\0 text"), sha);
  EXPECT_EQ(static_cast<long long>(fs::file_size(fs::directory_iterator(journal_folder(target_))->path())),
            size);
  value_or_throw(recorder->rebuild());
  EXPECT_EQ(value_or_throw(value_or_throw(ResultsFile::open(target_)).text(sha)), "binary \xff\0 text");
}

}  // namespace
}  // namespace noctune
