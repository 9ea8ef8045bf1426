#include "store/results_writer.hpp"

#include <algorithm>

#include "base/digest.hpp"

namespace noctune {
namespace {

constexpr std::size_t small_chunk = 64 << 10, large_chunk = 512 << 10;

std::size_t chunk_rows(const Table& table, std::size_t record_bytes) {
  const bool large = table.name == "samples" || table.name == "text_bytes";
  return std::max<std::size_t>(16, (large ? large_chunk : small_chunk) / record_bytes);
}

}  // namespace

TableSink::TableSink(const Table& table, Hdf5Table stored, std::size_t rows_per_chunk)
    : packer_(table),
      stored_(std::move(stored)),
      record_bytes_(std::max<std::size_t>(packer_.size(), 1)),
      block_bytes_(rows_per_chunk * record_bytes_) {}

Result<void> TableSink::add(const std::string& record) {
  return add_many(record);
}

Result<void> TableSink::add_many(std::string_view records) {
  pending_ += records;
  rows_ += static_cast<long long>(records.size() / record_bytes_);
  return by_id_.empty() ? flush_chunks() : Result<void>();
}

void TableSink::put(long long id, const std::string& record, bool& fresh) {
  const auto [at, added] = by_id_.emplace(id, pending_.size());
  fresh = added;
  if (!added) {
    pending_.replace(at->second, record_bytes_, record);
    return;
  }
  pending_ += record;
  ++rows_;
}

// Whole chunks only: a chunk written in two parts would be compressed twice.
Result<void> TableSink::flush_chunks() {
  const std::size_t whole = pending_.size() / block_bytes_ * block_bytes_;
  if (whole == 0) return {};
  Result<void> done = stored_.append(pending_.data(), whole / record_bytes_);
  pending_.erase(0, whole);
  return done;
}

Result<void> TableSink::flush() {
  Result<void> done = stored_.append(pending_.data(), pending_.size() / record_bytes_);
  pending_.clear();
  by_id_.clear();
  return done;
}

Result<void> TableSink::close() {
  return stored_.close();
}

Result<ResultsWriter> ResultsWriter::create(const std::filesystem::path& path) {
  Result<Hdf5File> file = Hdf5File::create(path);
  if (!file) return Failure(file.error());
  ResultsWriter writer(std::move(*file));
  for (const Table& table : schema())
    if (Result<void> done = writer.add_table(table); !done) return Failure(done.error());
  return writer;
}

Result<void> ResultsWriter::add_table(const Table& table) {
  const RecordPacker packer(table);
  const std::size_t rows = chunk_rows(table, std::max<std::size_t>(packer.size(), 1));
  Result<Hdf5Table> stored = file_.create_table(table.name, packer.members(), rows);
  if (!stored) return Failure(stored.error());
  tables_.emplace(table.name, std::make_unique<TableSink>(table, std::move(*stored), rows));
  Result<void> done = file_.set_attribute(table.name, "description", table.description);
  for (const Column& column : table.columns) {
    if (done) done = file_.set_attribute(table.name, column.name + ".description", column.description);
    if (done) done = file_.set_attribute(table.name, column.name + ".units", column.unit);
  }
  return done;
}

Result<std::string> ResultsWriter::text(std::string_view kind, std::string_view content, std::string sha) {
  if (sha.empty()) sha = sha256(content);
  if (!texts_.emplace(sha, text_bytes_).second) return sha;
  TableSink& index = table("texts");
  const RecordPacker& packer = index.packer();
  std::string record = packer.blank();
  packer.set(record.data(), packer.column("sha"), std::string_view(sha));
  packer.set(record.data(), packer.column("kind"), kind);
  packer.set(record.data(), packer.column("offset"), text_bytes_);
  packer.set(record.data(), packer.column("length"), static_cast<long long>(content.size()));
  text_bytes_ += static_cast<long long>(content.size());
  const Result<void> done = index.add(record).and_then([&] { return table("text_bytes").add_many(content); });
  if (!done) return Failure(done.error());
  return sha;
}

Result<void> ResultsWriter::attribute(const std::string& name, const std::string& value) {
  return file_.set_attribute("/", name, value);
}

Result<void> ResultsWriter::attribute(const std::string& name, long long value) {
  return file_.set_attribute("/", name, value);
}

Result<void> ResultsWriter::finish() {
  Result<void> done;
  for (auto& [name, sink] : tables_) {
    if (done) done = sink->flush();
    if (done) done = sink->close();
  }
  if (done) done = file_.close();
  return done;
}

std::map<std::string, long long> ResultsWriter::rows() const {
  std::map<std::string, long long> out;
  for (const auto& [name, sink] : tables_) out[name] = sink->rows();
  return out;
}

}  // namespace noctune
