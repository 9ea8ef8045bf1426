#include "app/status_line.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

TEST(StatusLine, SaysWhatIsDoneAndHowFast) {
  RunProgress progress;
  progress.hotspots = 8;
  EXPECT_EQ(status_text(progress, 5), "[0:05] 0 of 8 hotspots done, 0 judged, 0 usable");
  progress.finished = 3;
  progress.candidates = 40;
  progress.ok = 31;
  progress.left = 80;
  EXPECT_EQ(status_text(progress, 240),
            "[4:00] 3 of 8 hotspots done, 40 judged, 31 usable, 10.0 a minute, up to 8 min left");
  progress.left = 0;
  EXPECT_EQ(status_text(progress, 240), "[4:00] 3 of 8 hotspots done, 40 judged, 31 usable, 10.0 a minute");
}

TEST(StatusLine, TellsMoneyOnlyWhereThereIsSome) {
  RunProgress progress;
  progress.hotspots = 1;
  progress.currency = "USD";
  progress.budget = 5;
  EXPECT_TRUE(status_text(progress, 1).ends_with(", 0.00 of 5.00 USD spent"));
  progress.budget = 0;
  progress.cost = 1.234;
  EXPECT_TRUE(status_text(progress, 1).ends_with(" usable, 1.23 USD spent"));
  progress.cost = 0;
  EXPECT_TRUE(status_text(progress, 1).ends_with(" usable"));
}

}  // namespace
}  // namespace noctune
