#include "store/rows.hpp"

#include <gtest/gtest.h>

#include "store/record_packer.hpp"
#include "store/rows_json.hpp"

namespace noctune {
namespace {

TEST(Rows, NamesAreThoseOfTheSchema) {
  std::string record;
  EXPECT_EQ(RecordPacker(*find_table("hotspots")).pack(to_json(HotspotRow{}), record), std::nullopt);
  EXPECT_EQ(RecordPacker(*find_table("cases")).pack(to_json(CaseRow{}), record), std::nullopt);
  ArmRow arm;
  arm.arm = "loop";
  EXPECT_EQ(RecordPacker(*find_table("arms")).pack(to_json(arm), record), std::nullopt);
  EXPECT_EQ(RecordPacker(*find_table("devices")).pack(to_json(DeviceRow{}), record), std::nullopt);
  for (const auto level : {EventLevel::debug, EventLevel::info, EventLevel::warning, EventLevel::error})
    EXPECT_EQ(RecordPacker(*find_table("events")).pack({{"level", to_text(level)}}, record), std::nullopt);
  for (const auto purpose : {Purpose::baseline, Purpose::screen, Purpose::check, Purpose::confirm,
                             Purpose::profile, Purpose::null_kernel})
    EXPECT_EQ(RecordPacker(*find_table("evaluations")).pack({{"purpose", to_text(purpose)}}, record),
              std::nullopt);
}

TEST(Rows, AHotspotComesBackWhole) {
  HotspotRow row;
  row.name = "lap\xe9";  // Latin-1, as old sources have it
  row.verdict = HotspotVerdict::slower;
  row.mep_status = MepStatus::complete;
  row.standalone_speedup = 0.1 + 0.2;
  row.best_candidate = 7;
  row.reason = "why";
  const Json json = Json::parse(to_json(row).dump());
  EXPECT_EQ(to_json(hotspot_from_json(json)), to_json(row));
  EXPECT_EQ(hotspot_from_json(json).name, row.name);
  for (const auto verdict :
       {HotspotVerdict::pending, HotspotVerdict::faster, HotspotVerdict::indistinguishable,
        HotspotVerdict::slower, HotspotVerdict::failed}) {
    row.verdict = verdict;
    EXPECT_EQ(hotspot_from_json(to_json(row)).verdict, verdict);
  }
}

}  // namespace
}  // namespace noctune
