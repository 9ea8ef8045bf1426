// Contents go to the file as they are read, so that memory holds one buffer at a time.
#include "store/captures.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "model/captured_type.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

const std::vector<Hdf5Member> launch_members = {
    {"id", Hdf5Kind::int64},      {"kernel", Hdf5Kind::text, 128}, {"backend", Hdf5Kind::text, 16},
    {"grid", Hdf5Kind::text, 48}, {"block", Hdf5Kind::text, 48},   {"shared", Hdf5Kind::int64},
    {"weight", Hdf5Kind::int64}};
const std::vector<Hdf5Member> argument_members = {
    {"launch", Hdf5Kind::int64},  {"position", Hdf5Kind::int64}, {"name", Hdf5Kind::text, 64},
    {"type", Hdf5Kind::text, 32}, {"role", Hdf5Kind::text, 8},   {"value", Hdf5Kind::text, 1024},
    {"count", Hdf5Kind::int64},   {"sha", Hdf5Kind::text, 64},   {"offset", Hdf5Kind::int64},
    {"length", Hdf5Kind::int64}};

// One record, member by member.
class Record {
 public:
  explicit Record(const std::vector<Hdf5Member>& members) : members_(members) {}
  Record& add(long long value) {
    const std::int64_t wide = value;
    bytes_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    ++next_;
    return *this;
  }
  Record& add(std::string text) {
    text.resize(members_[next_++].width, '\0');
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  const std::vector<Hdf5Member>& members_;
  std::size_t next_ = 0;
  std::string bytes_;
};

// "x.data()" -> "x_data": what a parameter may be called.
std::string identifier(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) ? "a" + out : out;
}

// Numbers of unknown type count too, where the recorder knew no types; structs do not.
bool is_part_of_shape(const CapturedLaunch& launch, const CapturedArgument& argument) {
  if (argument.role != "value") return false;
  const bool small = argument.type.rfind("bytes:", 0) == 0 && element_bytes(argument.type) <= 8;
  return argument.type.find("int") != std::string::npos || (small && !launch.symbol.empty());
}

std::string shape_of(const CapturedLaunch& launch) {
  std::string out =
      launch.kernel + "/" + launch.grid + "/" + launch.block + "/" + std::to_string(launch.shared);
  for (const CapturedArgument& one : launch.arguments) {
    const bool whole = is_part_of_shape(launch, one);
    out += "/" + one.type + ":" + (whole ? one.value : std::to_string(one.count));
  }
  return out;
}

class Packing {
 public:
  Packing(Hdf5File& file, const std::vector<KernelParameters>& known) : file_(file), known_(known) {}

  Result<PackedCaptures> run(const fs::path& folder) {
    Result<Hdf5Table> bytes = file_.create_table("bytes", {}, 1 << 16);
    if (!bytes) return Failure(bytes.error());
    bytes_ = &*bytes;
    std::error_code failed;
    std::vector<fs::path> captures;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
      if (entry.is_directory() && fs::exists(entry.path() / "launch.json")) captures.push_back(entry.path());
    if (failed)
      return fail(folder.string(), failed.message(), "name the folder that NOCTUNE_CAPTURE_DIR named");
    std::sort(captures.begin(), captures.end());
    for (const fs::path& capture : captures)
      if (const Result<void> kept = keep(capture); !kept) return Failure(kept.error());
    if (launches_.empty())
      return fail(folder.string(), problems_.empty() ? "it holds no capture" : problems_.front(),
                  "run the application with NOCTUNE_CAPTURE_DIR=" + folder.string());
    if (const Result<void> closed = bytes->close(); !closed) return Failure(closed.error());
    if (const Result<void> written = write_tables(); !written) return Failure(written.error());
    return PackedCaptures{static_cast<long long>(launches_.size()), recorded_, offset_, problems_, notes_};
  }

 private:
  // False results end everything; a capture that cannot be understood is only left out.
  Result<void> keep(const fs::path& folder) {
    if (folder.extension() == ".partial") {
      problems_.push_back(folder.filename().string() + ": it was not written to its end");
      return {};
    }
    CapturedLaunch launch;
    try {
      const JsonDocument document = value_or_throw(read_json((folder / "launch.json").string()));
      launch = read_launch(StrictReader(document, ""), folder);
    } catch (const UserError& error) {
      problems_.push_back(error.what());
      return {};
    }
    ++recorded_;
    launch.weight = count_of(folder);
    if (!launch.symbol.empty()) complete(launch);
    const auto known = std::find_if(launches_.begin(), launches_.end(), [&](const CapturedLaunch& one) {
      return shape_of(one) == shape_of(launch);
    });
    if (known != launches_.end()) {
      known->weight += launch.weight;
      return {};
    }
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      if (const Result<void> stored = store(files_[i], launch.arguments[i]); !stored) return stored;
    launches_.push_back(std::move(launch));
    return {};
  }

  // What the recorder could not know: names, and which of two kernels of one name it was.
  void complete(CapturedLaunch& launch) {
    const std::string plain = launch.kernel;
    for (int number = 2; names_.emplace(launch.kernel, launch.symbol).first->second != launch.symbol;
         ++number)
      launch.kernel = plain + "_" + std::to_string(number);
    const std::string note = name_arguments(launch, known_);
    if (!note.empty() && std::find(notes_.begin(), notes_.end(), note) == notes_.end())
      notes_.push_back(note);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      if (launch.arguments[i].role == "out") files_[i].clear();
  }

  CapturedLaunch read_launch(StrictReader reader, const fs::path& folder) {
    CapturedLaunch out;
    const long long version = reader.integer("capture_version");
    if (version != 1 && version != 2)
      reader.complain("capture_version", "this program reads versions 1 and 2");
    out.kernel = identifier(reader.text("kernel"));
    if (out.kernel.size() > 100) out.kernel.resize(100);
    out.symbol = reader.text("symbol", "");
    reader.text("signature", "");
    out.backend = reader.text("backend");
    out.grid = reader.text("grid");
    out.block = reader.text("block");
    out.shared = reader.integer("shared");
    files_.clear();
    for (StrictReader& item : reader.objects("arguments")) {
      CapturedArgument one;
      const std::string name = item.text("name");
      one.name = name.empty() ? unnamed_argument(out.arguments.size()) : identifier(name);
      one.type = item.text("type");
      one.role = item.text("role");
      one.value = item.text("value", "");
      one.count = item.integer("count", 0);
      const std::string file = item.text("file", "");
      files_.push_back(file.empty() ? fs::path() : folder / fs::path(file).filename());
      if (!files_.back().empty() && !fs::exists(files_.back())) item.complain("file", "is missing");
      item.integer("offset", 0);
      declare_argument(one, item.text("declared", ""));
      if (one.value.size() > 1024) item.complain("value", "is a struct of more than 510 bytes");
      item.finish();
      out.arguments.push_back(std::move(one));
    }
    reader.finish();
    return out;
  }

  static long long count_of(const fs::path& folder) {
    const Result<std::string> text = read_file(folder / "count");
    return text ? std::max(1LL, std::strtoll(text->c_str(), nullptr, 10)) : 1;
  }

  Result<void> store(const fs::path& file, CapturedArgument& argument) {
    if (file.empty()) return {};
    Result<std::string> contents = read_file(file);
    if (!contents) return Failure(contents.error());
    cut_to_elements(*contents, argument);
    argument.sha = sha256(*contents);
    argument.length = static_cast<long long>(contents->size());
    const auto [place, added] = places_.emplace(argument.sha, offset_);
    argument.offset = place->second;
    if (!added) return {};
    offset_ += argument.length;
    return bytes_->append(contents->data(), contents->size());
  }

  // An allocation may go on behind the elements that are used.
  static void cut_to_elements(std::string& contents, const CapturedArgument& argument) {
    const long long bytes = element_bytes(argument.type);
    if (argument.count >= 0 && argument.count <= static_cast<long long>(contents.size()) / bytes)
      contents.resize(static_cast<std::size_t>(argument.count * bytes));
  }

  Result<void> write_tables() {
    std::string launches, arguments;
    long long id = 0, rows = 0;
    for (const CapturedLaunch& one : launches_) {
      launches += Record(launch_members)
                      .add(++id)
                      .add(one.kernel)
                      .add(one.backend)
                      .add(one.grid)
                      .add(one.block)
                      .add(one.shared)
                      .add(one.weight)
                      .bytes();
      long long position = 0;
      for (const CapturedArgument& a : one.arguments) {
        arguments += Record(argument_members)
                         .add(id)
                         .add(position++)
                         .add(a.name)
                         .add(a.type)
                         .add(a.role)
                         .add(a.value)
                         .add(a.count)
                         .add(a.sha)
                         .add(a.offset)
                         .add(a.length)
                         .bytes();
        ++rows;
      }
    }
    const Result<void> first = write_table("launches", launch_members, launches, id);
    return first ? write_table("arguments", argument_members, arguments, rows) : first;
  }

  Result<void> write_table(const std::string& name, const std::vector<Hdf5Member>& members,
                           const std::string& records, long long rows) {
    Result<Hdf5Table> table = file_.create_table(name, members, 64);
    if (!table) return Failure(table.error());
    const Result<void> added = table->append(records.data(), static_cast<std::size_t>(rows));
    return added ? table->close() : added;
  }

  Hdf5File& file_;
  const std::vector<KernelParameters>& known_;
  Hdf5Table* bytes_ = nullptr;
  long long offset_ = 0, recorded_ = 0;
  std::map<std::string, long long> places_;   // by content
  std::vector<fs::path> files_;               // of the launch being read, by argument
  std::map<std::string, std::string> names_;  // symbols by the name of their kernel
  std::vector<CapturedLaunch> launches_;
  std::vector<std::string> problems_, notes_;
};

Result<std::vector<CapturedLaunch>> read_launches(const Hdf5File& file) {
  std::vector<CapturedLaunch> out;
  const Result<Hdf5Table> table = file.open_table("launches");
  if (!table) return Failure(table.error());
  const Result<Hdf5Columns> rows = table->read({"kernel", "backend", "grid", "block", "shared", "weight"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    CapturedLaunch one;
    one.kernel = rows->texts("kernel")[i];
    one.backend = rows->texts("backend")[i];
    one.grid = rows->texts("grid")[i];
    one.block = rows->texts("block")[i];
    one.shared = rows->integers("shared")[i];
    one.weight = rows->integers("weight")[i];
    out.push_back(std::move(one));
  }
  return out;
}

Result<void> read_arguments(const Hdf5File& file, std::vector<CapturedLaunch>& launches) {
  const Result<Hdf5Table> table = file.open_table("arguments");
  if (!table) return Failure(table.error());
  const Result<Hdf5Columns> rows =
      table->read({"launch", "name", "type", "role", "value", "count", "sha", "offset", "length"});
  if (!rows) return Failure(rows.error());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    const long long launch = rows->integers("launch")[i];
    if (launch < 1 || launch > static_cast<long long>(launches.size()))
      return fail("/arguments", "a row names a launch that is not there");
    CapturedArgument one;
    one.name = rows->texts("name")[i];
    one.type = rows->texts("type")[i];
    one.role = rows->texts("role")[i];
    one.value = rows->texts("value")[i];
    one.count = rows->integers("count")[i];
    one.sha = rows->texts("sha")[i];
    one.offset = rows->integers("offset")[i];
    one.length = rows->integers("length")[i];
    launches[static_cast<std::size_t>(launch - 1)].arguments.push_back(std::move(one));
  }
  return {};
}

}  // namespace

Result<PackedCaptures> pack_captures(const fs::path& folder, const fs::path& target,
                                     const std::vector<KernelParameters>& known) {
  const fs::path partial = target.string() + ".partial";
  Result<Hdf5File> file = Hdf5File::create(partial);
  if (!file) return Failure(file.error());
  Packing packing(*file, known);
  Result<PackedCaptures> packed = packing.run(folder);
  const Result<void> closed = file->close();
  std::error_code failed;
  if (packed && closed) fs::rename(partial, target, failed);
  if (!packed || !closed || failed) fs::remove(partial, failed);
  if (packed && !closed) return Failure(closed.error());
  return packed;
}

Result<CaptureFile> CaptureFile::open(const fs::path& path) {
  Result<Hdf5File> file = Hdf5File::open(path);
  if (!file) return Failure(file.error());
  if (!file->has("launches") || !file->has("arguments") || !file->has("bytes"))
    return fail(path.string(), "it holds no captured launches",
                "make it by: noctune capture FOLDER -o FILE.h5");
  CaptureFile out(std::move(*file));
  Result<std::vector<CapturedLaunch>> launches = read_launches(out.file_);
  if (!launches) return Failure(launches.error());
  out.launches_ = std::move(*launches);
  if (const Result<void> read = read_arguments(out.file_, out.launches_); !read) return Failure(read.error());
  return out;
}

Result<std::string> CaptureFile::contents(const CapturedArgument& argument) const {
  const Result<Hdf5Table> bytes = file_.open_table("bytes");
  if (!bytes) return Failure(bytes.error());
  return bytes->read_bytes(argument.offset, argument.length);
}

}  // namespace noctune
