#include "store/record_packer.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "model/evaluation_json.hpp"

namespace noctune {
namespace {

Hdf5Member member_of(const Column& column) {
  Hdf5Member member;
  member.name = column.name;
  switch (column.type) {
    case ColumnType::int32:
      member.kind = Hdf5Kind::int32;
      break;
    case ColumnType::int64:
      member.kind = Hdf5Kind::int64;
      break;
    case ColumnType::float64:
      member.kind = Hdf5Kind::float64;
      break;
    case ColumnType::text:
      member.kind = Hdf5Kind::text;
      member.width = static_cast<std::size_t>(column.width);
      break;
    case ColumnType::enumeration:
      member.kind = Hdf5Kind::enumeration;
      member.names.emplace_back("none", -1);
      for (std::size_t i = 0; i < column.names.size(); ++i)
        member.names.emplace_back(column.names[i], static_cast<int>(i));
      break;
  }
  return member;
}

template <class T>
void store(char* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

// The longest prefix of at most `width` bytes that does not end inside a character.
std::string_view fitting(std::string_view text, std::size_t width) {
  if (text.size() <= width) return text;
  while (width > 0 && (static_cast<unsigned char>(text[width]) & 0xc0) == 0x80) --width;
  return text.substr(0, width);
}

}  // namespace

RecordPacker::RecordPacker(const Table& table) : table_(table) {
  std::size_t size = 0;
  for (const Column& column : table.columns) {
    members_.push_back(member_of(column));
    offsets_.push_back(size);
    by_name_.emplace(column.name, by_name_.size());
    size += members_.back().size();
  }
  blank_.assign(size, '\0');
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].kind == Hdf5Kind::float64)
      set(blank_.data(), i, std::numeric_limits<double>::quiet_NaN());
    if (members_[i].kind == Hdf5Kind::int32 || members_[i].kind == Hdf5Kind::int64)
      set(blank_.data(), i, -1LL);
    if (members_[i].kind == Hdf5Kind::enumeration) blank_[offsets_[i]] = -1;
  }
}

std::size_t RecordPacker::column(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end())
    throw std::logic_error("no column " + std::string(name) + " in /" + table_.name);
  return found->second;
}

void RecordPacker::set(char* record, std::size_t column, double value) const {
  store(record + offsets_[column], value);
}

void RecordPacker::set(char* record, std::size_t column, long long value) const {
  if (members_[column].kind == Hdf5Kind::int32)
    store(record + offsets_[column], static_cast<std::int32_t>(value));
  else
    store(record + offsets_[column], value);
}

void RecordPacker::set(char* record, std::size_t column, std::string_view value) const {
  const Hdf5Member& member = members_[column];
  char* at = record + offsets_[column];
  if (member.kind == Hdf5Kind::enumeration) {
    *at = -1;
    for (const auto& [name, number] : member.names)
      if (name == value) *at = static_cast<char>(number);
    return;
  }
  const std::string_view text = fitting(value, member.width);
  std::memset(at, 0, member.width);
  std::memcpy(at, text.data(), text.size());
}

bool RecordPacker::set_json(char* record, std::size_t column, const Json& value) const {
  const Hdf5Member& member = members_[column];
  switch (member.kind) {
    case Hdf5Kind::float64: {
      const Result<double> number = number_from_json(value);
      if (number) set(record, column, *number);
      return number.has_value();
    }
    case Hdf5Kind::int32:
    case Hdf5Kind::int64:
      if (value.is_null()) return true;
      if (value.is_boolean()) return set(record, column, value.get<bool>() ? 1LL : 0LL), true;
      if (!value.is_number_integer()) return false;
      return set(record, column, value.get<long long>()), true;
    case Hdf5Kind::text:
      if (value.is_null()) return true;
      if (const Result<std::string> text = text_from_json(value))
        set(record, column, std::string_view(*text));
      else
        set(record, column, std::string_view(value.dump(-1, ' ', false, Json::error_handler_t::replace)));
      return true;
    case Hdf5Kind::enumeration:
      if (value.is_null()) return true;
      if (!value.is_string()) return false;
      set(record, column, std::string_view(value.get_ref<const std::string&>()));
      return record[offsets_[column]] != -1 || value == "none";
  }
  return false;
}

std::optional<std::string> RecordPacker::pack(const Json& row, std::string& record) const {
  record = blank_;
  std::optional<std::string> complaint;
  for (const auto& item : row.items()) {
    const auto found = by_name_.find(item.key());
    if (found == by_name_.end())
      complaint = "/" + table_.name + " has no column " + item.key();
    else if (!set_json(record.data(), found->second, item.value()))
      complaint = "/" + table_.name + ", column " + item.key() + ": unexpected value " +
                  item.value().dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 80);
  }
  return complaint;
}

}  // namespace noctune
