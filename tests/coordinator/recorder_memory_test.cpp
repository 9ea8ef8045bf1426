#include "coordinator/recorder_memory.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "coordinator/campaign_run.hpp"
#include "store/example_campaign.hpp"

namespace noctune {
namespace {

class Watching final : public Observer {
 public:
  void event(const std::string&, bool, const std::string&) override {}
  void progress(const RunProgress& progress) override { seen = progress; }
  RunProgress seen;
};

class RecorderMemoryTest : public testing::Test {
 protected:
  long long hotspot(const std::string& name) {
    HotspotRow row;
    row.name = name;
    return memory_.hotspot(row);
  }
  void propose(long long hotspot, int round) {
    Candidate candidate;
    candidate.source = "version " + std::to_string(++versions_);
    memory_.candidate(hotspot, round, versions_, candidate);
  }
  long long left() {
    memory_.show();
    return watching_.seen.left;
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("recorder-memory-test"));
  std::unique_ptr<Recorder> recorder_ =
      value_or_throw(Recorder::open(scratch_.path() / "results.h5", example::header()));
  Watching watching_;
  RecorderMemory memory_{*recorder_, watching_, {}};
  int versions_ = 0;
};

TEST_F(RecorderMemoryTest, CountsDownWhatSearchesMayStillMake) {
  const long long a = hotspot("a"), b = hotspot("b");
  memory_.expect(a, 2);
  memory_.expect(b, 4);
  propose(a, 0);  // the original is nobody's proposal
  EXPECT_EQ(left(), 6);
  propose(a, 1);
  propose(b, 1);
  EXPECT_EQ(left(), 4);
  propose(a, 1);
  propose(a, 1);  // a repair, which comes on top
  EXPECT_EQ(left(), 3);
  memory_.finished(b);
  EXPECT_EQ(watching_.seen.left, 0);
  EXPECT_EQ(watching_.seen.finished, 1);
}

TEST_F(RecorderMemoryTest, AddsUpWhatTheModelCosts) {
  const long long a = hotspot("a");
  CallSlot slot;
  for (const double cost : {0.25, 0.5}) {
    ++slot.sample;
    memory_.call_sent(a, slot, ChatRequest());
    ChatReply reply;
    reply.cost = cost;
    memory_.call_answered(a, slot, reply);
  }
  EXPECT_DOUBLE_EQ(watching_.seen.cost, 0.75);
}

TEST(MostVersions, AreThoseOfEveryArmAndReplicate) {
  Campaign campaign;
  campaign.search.rounds = 3;
  campaign.search.candidates = 4;
  campaign.arms = {"loop"};
  EXPECT_EQ(most_versions(campaign), 12);
  campaign.arms = {"loop", "direct", "rules"};
  campaign.replicates = 2;
  EXPECT_EQ(most_versions(campaign), 50);
}

}  // namespace
}  // namespace noctune
