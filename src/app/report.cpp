#include "app/report.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <thread>

#include "app/file_reader.hpp"
#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "report/comparison_text.hpp"
#include "report/csv.hpp"
#include "report/export.hpp"
#include "report/html_page.hpp"
#include "report/report.hpp"
#include "report/t4.hpp"
#include "report/totals_text.hpp"

namespace noctune {
namespace {

constexpr int seconds_between_looks = 3;

ReportOptions style_of(const Options& options) {
  ReportOptions out;
  out.hotspot = options.hotspot;
  out.colour = ::isatty(STDOUT_FILENO) != 0;
  return out;
}

int show(const ChildText& read) {
  if (read.code == 0)
    std::fputs(read.text.c_str(), stdout);
  else
    std::fprintf(stderr, "noctune: %s\n", read.text.c_str());
  return read.code;
}

std::string written(const std::string& path, std::size_t bytes) {
  return "wrote " + path + " (" + bytes_text(static_cast<double>(bytes)) + ")\n";
}

std::string write_files(const Options& options) {
  const ResultsFile results = value_or_throw(ResultsFile::open(options.results));
  const ReportData data = value_or_throw(read_report_data(results));
  std::string out;
  if (!options.html.empty()) {
    const std::string page = value_or_throw(html_report(results, data));
    value_or_throw(replace_file(options.html, page), Exit::failure);
    out += written(options.html, page.size());
  }
  if (!options.csv.empty()) {
    const CsvFiles files = value_or_throw(write_csv(results, data, options.csv), Exit::failure);
    out += "wrote " + std::to_string(files.names.size()) + " tables with " + std::to_string(files.rows) +
           " rows into " + options.csv + "\n";
  }
  if (!options.t4.empty()) {
    const std::string text = value_or_throw(t4_text(results, data));
    value_or_throw(replace_file(options.t4, text), Exit::failure);
    out += written(options.t4, text.size());
  }
  return out;
}

std::string compare(const Options& options) {
  const ReportData before =
      value_or_throw(read_report_data(value_or_throw(ResultsFile::open(options.results))));
  const ReportData after =
      value_or_throw(read_report_data(value_or_throw(ResultsFile::open(options.later_results))));
  return comparison_text(before, after, style_of(options));
}

// What tells one state of a file from the next: it is always replaced as a whole.
struct FileState {
  ino_t inode = 0;
  off_t size = -1;
  long long changed_ns = 0;
  bool operator==(const FileState&) const = default;
};

FileState state_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  constexpr long long ns = 1'000'000'000;
  return {found.st_ino, found.st_size, found.st_mtim.tv_sec * ns + found.st_mtim.tv_nsec};
}

// Until the campaign has ended; the first line of the child's text is its status.
int follow(const Options& options) {
  std::string shown;
  FileState seen;
  if (state_of(options.results) == FileState{})
    std::fprintf(stderr, "waiting for %s, which the job writes after its first minutes\n",
                 options.results.c_str());
  for (;; std::this_thread::sleep_for(std::chrono::seconds(seconds_between_looks))) {
    const FileState now = state_of(options.results);
    if (now == seen || now == FileState{}) continue;
    seen = now;
    const ChildText read = read_in_child(options.results, [&options] {
      const ReportData data =
          value_or_throw(read_report_data(value_or_throw(ResultsFile::open(options.results))));
      return data.status + "\n" + progress_line(data);
    });
    if (read.code != 0) return show(read);
    const auto end = read.text.find('\n');
    const std::string status = read.text.substr(0, end), line = read.text.substr(end + 1);
    if (line != shown) std::printf("%s  %s\n", iso_time(wall_seconds()).c_str(), line.c_str());
    std::fflush(stdout);
    shown = line;
    if (status != "running") return 0;
  }
}

}  // namespace

int report(const Options& options) {
  if (options.follow) return follow(options);
  if (!options.later_results.empty())
    return show(read_in_child(options.results + " or " + options.later_results,
                              [&options] { return compare(options); }));
  if (!options.html.empty() || !options.csv.empty() || !options.t4.empty())
    return show(read_in_child(options.results, [&options] { return write_files(options); }));
  return show(read_in_child(options.results, [&options] {
    const ResultsFile results = value_or_throw(ResultsFile::open(options.results));
    return value_or_throw(render_report(results, style_of(options)));
  }));
}

int export_result(const Options& options) {
  const std::string folder = options.output.empty() ? options.hotspot + "-export" : options.output;
  return show(read_in_child(options.results, [&options, &folder] {
    const ResultsFile results = value_or_throw(ResultsFile::open(options.results));
    const ReportData data = value_or_throw(read_report_data(results));
    const std::vector<ExportedFile> files = value_or_throw(export_hotspot(results, data, options.hotspot));
    value_or_throw(write_export(files, folder, options.force));
    std::string out;
    for (const ExportedFile& file : files)
      out += "wrote " + (std::filesystem::path(folder) / file.name).string() + "\n";
    return out + "README.md there says how it was measured and how to measure it again.\n";
  }));
}

}  // namespace noctune
