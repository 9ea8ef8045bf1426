#include "store/schema.hpp"

namespace noctune {
namespace {

std::string type_text(const Column& column) {
  switch (column.type) {
    case ColumnType::int32:
      return "int32";
    case ColumnType::int64:
      return "int64";
    case ColumnType::float64:
      return "float64";
    case ColumnType::text:
      return "text[" + std::to_string(column.width) + "]";
    case ColumnType::enumeration:
      break;
  }
  std::string out;
  for (const std::string& name : column.names) out += (out.empty() ? "enum: " : ", ") + name;
  return out;
}

}  // namespace

std::string schema_markdown() {
  std::string out;
  for (const Table& table : schema()) {
    out += "### `/" + table.name + "`\n\n" + table.description + "\n\n";
    if (table.columns.empty()) {
      out += "A one-dimensional array of bytes (uint8).\n\n";
      continue;
    }
    out += "| column | type | unit | meaning |\n|---|---|---|---|\n";
    for (const Column& column : table.columns)
      out += "| `" + column.name + "` | " + type_text(column) + " | " + column.unit + " | " +
             column.description + " |\n";
    out += "\n";
  }
  return out;
}

}  // namespace noctune
