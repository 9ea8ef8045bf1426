// The results file as data: every table and column with type, unit and meaning. The journal's rows use the
// same names; the builder, the reader and docs/formats.md follow from it. Changing a column's meaning or
// removing one raises schema_version; adding columns or tables does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace noctune {

inline constexpr int schema_version = 1;

enum class ColumnType { int32, int64, float64, text, enumeration };

struct Column {
  std::string name;
  ColumnType type = ColumnType::int64;
  std::string unit;  // "s", "B", "1" for pure numbers; empty where a unit makes no sense
  std::string description;
  int width = 0;                        // text: bytes of UTF-8
  std::vector<std::string> names = {};  // enumeration: stored as 0, 1, ...; -1 is "none"
};

struct Table {
  std::string name;
  std::string description;
  std::vector<Column> columns;  // empty: a plain array of bytes

  const Column* find(std::string_view column) const;
};

// All tables in the order of the documentation.
const std::vector<Table>& schema();
// Null when there is no such table.
const Table* find_table(std::string_view name);
// The schema as Markdown, for docs/formats.md.
std::string schema_markdown();

}  // namespace noctune
