#include "app/capture.hpp"

#include <cstdio>
#include <filesystem>
#include <map>

#include "base/files.hpp"
#include "base/process_types.hpp"
#include "base/text.hpp"
#include "mep/captured_names.hpp"
#include "mep/captured_spec.hpp"
#include "model/captured_type.hpp"
#include "model/mep_spec_json.hpp"
#include "store/captures.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

// Of the sources and specs that --names gives.
std::vector<KernelParameters> known_parameters(const std::vector<std::string>& paths) {
  std::vector<KernelParameters> out;
  for (const std::string& path : paths) {
    const std::vector<KernelParameters> found =
        fs::path(path).extension() == ".json"
            ? parameters_in_spec(read_mep_spec(value_or_throw(read_json(path))))
            : parameters_in_source(value_or_throw(read_file(path)));
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

void pack(const fs::path& folder, const fs::path& target, const std::vector<KernelParameters>& known) {
  const PackedCaptures packed = value_or_throw(pack_captures(folder, target, known));
  for (const std::string& problem : packed.problems)
    std::fprintf(stderr, "left out: %s\n", printable(problem).c_str());
  for (const std::string& note : packed.notes) std::fprintf(stderr, "look at: %s\n", printable(note).c_str());
  std::printf("%s: %lld launches from %lld captures, %s\n", target.c_str(), packed.launches, packed.recorded,
              bytes_text(static_cast<double>(packed.bytes)).c_str());
}

void write_new(const fs::path& path, const std::string& text, bool force) {
  if (!force && fs::exists(path))
    throw UserError({path.string(), "it is there already", "name another folder, or say --force"});
  fs::create_directories(path.parent_path());
  value_or_throw(write_file(path, text));
}

void write_spec(const CaptureFile& file, const std::vector<CapturedLaunch>& launches,
                const Options& options) {
  const CapturedSpec made = value_or_throw(spec_of_captures(launches));
  const fs::path folder = options.mep_folder, spec = folder / (launches[0].kernel + ".mep.json");
  write_new(spec, made.spec.dump(2) + "\n", options.force);
  for (const auto& [path, argument] : made.files)
    write_new(folder / path, value_or_throw(file.contents(argument)), options.force);
  std::printf("%s: %zu cases\n", spec.c_str(), launches.size());
  for (const std::string& note : made.notes) std::printf("  look at: %s\n", note.c_str());
}

void show(const CapturedLaunch& one) {
  std::string arguments;
  for (const CapturedArgument& a : one.arguments)
    arguments += (arguments.empty() ? "" : ", ") + a.name +
                 (a.role == "value" ? "=" + a.value : "[" + std::to_string(a.count) + "] " + a.role);
  const std::string shape = one.grid.empty() ? "" : " <<<" + one.grid + "; " + one.block + ">>>";
  std::printf("  %lldx %s%s(%s)\n", one.weight, one.kernel.c_str(), shape.c_str(),
              printable(arguments).c_str());
}

}  // namespace

int capture(const Options& options) {
  fs::path packed = options.file;
  const std::vector<KernelParameters> known = known_parameters(options.sources);
  if (!fs::exists(packed))
    throw UserError({packed.string(), "there is no such folder or file",
                     "name the folder that NOCTUNE_CAPTURE_DIR named, or a file made by noctune capture"});
  if (fs::is_directory(packed)) {
    packed = options.output.empty() ? fs::path("captures.h5") : fs::path(options.output);
    if (!options.force && fs::exists(packed))
      throw UserError({packed.string(), "it is there already", "name another file by -o, or say --force"});
    pack(options.file, packed, known);
  }
  const CaptureFile file = value_or_throw(CaptureFile::open(packed));
  std::map<std::string, std::vector<CapturedLaunch>> kernels;
  for (CapturedLaunch one : file.launches()) {
    if (!known.empty()) name_arguments(one, known);
    show(one);
    kernels[one.kernel].push_back(one);
  }
  if (!options.mep_folder.empty())
    for (const auto& [kernel, launches] : kernels) write_spec(file, launches, options);
  return 0;
}

}  // namespace noctune
