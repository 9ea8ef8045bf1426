#include "store/schema.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/files.hpp"
#include "model/evaluation.hpp"
#include "places.hpp"

namespace noctune {
namespace {

TEST(Schema, HoldsEveryTableOfTheDesignOnce) {
  std::set<std::string> names;
  for (const Table& table : schema()) EXPECT_TRUE(names.insert(table.name).second) << table.name;
  for (const char* name :
       {"hotspots", "cases", "devices", "ceilings", "candidates", "candidate_links", "evaluations", "samples",
        "params", "profiles", "llm_calls", "patterns", "pattern_evidence", "pattern_trials", "decisions",
        "integration", "texts", "text_bytes", "events"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_EQ(find_table("nothing"), nullptr);
}

TEST(Schema, EveryColumnIsDescribedAndUsable) {
  for (const Table& table : schema()) {
    EXPECT_FALSE(table.description.empty()) << table.name;
    std::set<std::string> names;
    for (const Column& column : table.columns) {
      EXPECT_TRUE(names.insert(column.name).second) << table.name << "." << column.name;
      EXPECT_FALSE(column.description.empty()) << table.name << "." << column.name;
      EXPECT_EQ(column.type == ColumnType::text, column.width > 0) << table.name << "." << column.name;
      EXPECT_EQ(column.type == ColumnType::enumeration, !column.names.empty())
          << table.name << "." << column.name;
      EXPECT_EQ(table.find(column.name), &column);
    }
  }
}

TEST(Schema, NamesEveryVerdictInOrder) {
  const Column* verdict = find_table("evaluations")->find("verdict");
  ASSERT_NE(verdict, nullptr);
  for (std::size_t i = 0; i < verdict->names.size(); ++i)
    EXPECT_EQ(to_text(static_cast<Verdict>(i)), verdict->names[i]);
  EXPECT_EQ(verdict->names.back(), to_text(Verdict::lost));
}

// docs/formats.md carries the generated schema between two markers. NOCTUNE_UPDATE_DOCS=1 writes it anew.
TEST(Schema, DocumentationIsCurrent) {
  const std::string path = NOCTUNE_SOURCE_DIR "/docs/formats.md";
  const std::string begin = "<!-- schema: generated, do not edit -->\n\n", end = "<!-- end of schema -->\n";
  std::string page = value_or_throw(read_file(path));
  const auto from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const auto start = from + begin.size();
  if (std::getenv("NOCTUNE_UPDATE_DOCS")) {
    page.replace(start, to - start, schema_markdown());
    value_or_throw(write_file(path, page));
  } else {
    EXPECT_EQ(page.substr(start, to - start), schema_markdown())
        << "run this test with NOCTUNE_UPDATE_DOCS=1";
  }
}

}  // namespace
}  // namespace noctune
