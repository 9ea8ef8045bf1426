#include "coordinator/rules/gpu/gpu_trial.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <regex>
#include <stdexcept>

#include "model/expression.hpp"
#include "places.hpp"

namespace noctune::rules_test {
namespace {

constexpr std::size_t guard_elements = 512;
constexpr char guard_value = 0x5a;  // large as a number, so that stray reads show too

std::string element_name(const std::string& type) {
  for (const char* name : {"double", "float", "int"})
    if (type.find(name) != std::string::npos) return name;
  throw std::runtime_error("unknown element type: " + type);
}

// One argument as doubles; buffers are written out in their own type with guard zones.
struct Argument {
  std::string element;
  std::vector<double> values;
  std::vector<char> bytes;
  std::size_t shift = 0;

  std::size_t width() const { return element == "double" ? 8 : 4; }
  char* at(std::size_t i) { return bytes.data() + (guard_elements + shift + i) * width(); }
  void put(std::size_t i, double value) {
    if (element == "double") std::memcpy(at(i), &value, 8);
    const float f = static_cast<float>(value);
    const int n = static_cast<int>(value);
    if (element == "float") std::memcpy(at(i), &f, 4);
    if (element == "int") std::memcpy(at(i), &n, 4);
  }
  double get(std::size_t i) {
    double d = 0;
    float f = 0;
    int n = 0;
    if (element == "double") std::memcpy(&d, at(i), 8);
    if (element == "float") std::memcpy(&f, at(i), 4);
    if (element == "int") std::memcpy(&n, at(i), 4);
    return element == "double" ? d : element == "float" ? static_cast<double>(f) : n;
  }
  void lay_out() {
    bytes.assign((values.size() + shift + 2 * guard_elements) * width(), guard_value);
    for (std::size_t i = 0; i < values.size(); ++i) put(i, values[i]);
  }
  bool guards_intact() {
    const auto fine = [](char c) { return c == guard_value; };
    return std::all_of(bytes.data(), at(0), fine) &&
           std::all_of(at(values.size()), bytes.data() + bytes.size(), fine);
  }
};

double value_for(const ParamSpec& param, std::size_t i, long long rows, std::mt19937& random) {
  if (param.name == "row_ptr") return static_cast<double>(3 * i - (i % 2));
  if (param.name == "col") return static_cast<double>(random() % static_cast<unsigned>(rows));
  if (param.type.find("int") != std::string::npos) return static_cast<double>(random() % 100) - 5;
  return 0.1 + static_cast<double>(random() % 1000) / 1000;
}

std::vector<Argument> make_arguments(const GpuSource& source, std::size_t shift) {
  std::mt19937 random(7);
  Symbols symbols;
  for (const auto& [name, value] : source.sizes) symbols[name] = static_cast<double>(value);
  const long long rows = source.sizes.begin()->second;
  std::vector<Argument> list;
  for (const ParamSpec& param : source.params) {
    Argument& argument = list.emplace_back();
    argument.element = element_name(param.type);
    argument.shift = shift;
    const bool known = param.value && symbols.count(*param.value);
    std::size_t count = 1;
    if (param.is_pointer()) count = static_cast<std::size_t>(*evaluate(param.count, symbols));
    for (std::size_t i = 0; i < count; ++i)
      argument.values.push_back(known ? symbols.at(*param.value) : value_for(param, i, rows, random));
    argument.lay_out();
  }
  return list;
}

std::string call_text(const GpuSource& source, std::size_t number) {
  std::string text = "extern \"C\" void run" + std::to_string(number) + "(void** a) {\n  version" +
                     std::to_string(number) + "::" + source.name + "(";
  for (std::size_t p = 0; p < source.params.size(); ++p) {
    const ParamSpec& param = source.params[p];
    const std::string argument = "a[" + std::to_string(p) + "]";
    text += param.is_pointer() ? "static_cast<" + param.type + ">(" + argument + "), "
                               : "*static_cast<" + param.type + "*>(" + argument + "), ";
  }
  return text + "mep_stream_t());\n}\n";
}

// Every version in a namespace of its own; index 0 is the original.
std::string joint_source(const GpuSource& source, const std::vector<RuleProposal>& versions) {
  std::vector<std::string> sources = {source.text};
  for (const RuleProposal& version : versions) sources.push_back(version.source);
  std::string text;
  for (std::size_t i = 0; i < sources.size(); ++i)
    text += "namespace version" + std::to_string(i) + " {\n" +
            std::regex_replace(sources[i], std::regex("extern \"C\" "), "") + "}\n";
  return text;
}

std::string output_of(const std::string& command, const std::string& log) {
  if (std::system((command + " > " + log + " 2>&1").c_str()) == 0) return {};
  return "failed: " + command + "\n" + value_or_throw(read_file(log));
}

double error_between(Argument& expected, Argument& found) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double a = expected.get(i), b = found.get(i);
    if (std::isnan(b)) return std::numeric_limits<double>::infinity();
    difference += (a - b) * (a - b);
    norm += a * a;
  }
  return difference == 0 ? 0 : std::sqrt(difference / (norm > 0 ? norm : 1));
}

}  // namespace

GpuTrial::GpuTrial(const GpuSource& source, const std::vector<RuleProposal>& versions)
    : source_(source), folder_(value_or_throw(ScratchFolder::make("noctune-gpu-rules-"))) {
  const std::string stem = (folder_.path() / "versions").string(), fakes = NOCTUNE_SOURCE_DIR "/tests/fakes/";
  value_or_throw(write_file(stem + ".cu", joint_source(source, versions)));
  std::string calls =
      "#include \"versions.hpp\"\n"
      "extern \"C\" void set_backwards(bool backwards) {\n"
      "  using cuda_on_cpu::Order;\n"
      "  cuda_on_cpu::set_order(backwards ? Order::backward : Order::forward);\n}\n";
  for (std::size_t i = 0; i <= versions.size(); ++i) calls += call_text(source, i);
  value_or_throw(write_file(stem + ".cpp", calls));
  run("cmake -DINPUT=" + stem + ".cu -DOUTPUT=" + stem + ".hpp -DPREFIX=on_cpu -P " + fakes +
      "cuda_on_cpu.cmake");
  // A vector read from an address which is not aligned for it ends the test.
  run("g++ -std=c++17 -O1 -w -fPIC -shared -fno-strict-aliasing -fsanitize=alignment "
      "-fsanitize-undefined-trap-on-error -I" NOCTUNE_SOURCE_DIR "/tests -include fakes/cuda_on_cpu.hpp " +
      stem + ".cpp " + fakes + "cuda_on_cpu.cpp -o " + stem + ".so");
  library_ = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) throw std::runtime_error(dlerror());
  for (std::size_t i = 0; i <= versions.size(); ++i)
    entries_.push_back(reinterpret_cast<Entry>(dlsym(library_, ("run" + std::to_string(i)).c_str())));
}

void GpuTrial::run(const std::string& command) const {
  const std::string messages = output_of(command, (folder_.path() / "messages").string());
  if (!messages.empty()) throw std::runtime_error(messages);
}

double GpuTrial::error_of(std::size_t version, std::size_t shift) const {
  const std::vector<Argument> start = make_arguments(source_, shift);
  reinterpret_cast<void (*)(bool)>(dlsym(library_, "set_backwards"))(shift % 2 == 1);
  std::vector<Argument> expected = start, found = start;
  for (auto [arguments, entry] : {std::pair(&expected, entries_[0]), std::pair(&found, entries_[version])}) {
    std::vector<void*> pointers;
    for (Argument& argument : *arguments) pointers.push_back(argument.at(0));
    try {
      entry(pointers.data());
    } catch (const std::runtime_error&) {
      return std::numeric_limits<double>::infinity();
    }
  }
  double worst = 0;
  for (std::size_t p = 0; p < start.size(); ++p) {
    if (!found[p].guards_intact()) return std::numeric_limits<double>::infinity();
    if (source_.params[p].role != Role::scratch)
      worst = std::max(worst, error_between(expected[p], found[p]));
  }
  return worst;
}

std::string compile_all(const std::string& compiler, const GpuSource& source,
                        const std::vector<RuleProposal>& versions) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-gpu-rules-"));
  const std::string stem = (folder.path() / "versions").string();
  const bool hip = compiler.find("hipcc") != std::string::npos;
  const std::string head = hip ? "#include <hip/hip_runtime.h>\nusing mep_stream_t = hipStream_t;\n"
                               : "#include <cuda_runtime.h>\nusing mep_stream_t = cudaStream_t;\n";
  const std::string file = stem + (hip ? ".hip" : ".cu");
  value_or_throw(write_file(file, head + joint_source(source, versions)));
  return output_of(compiler + " -c " + file + " -o " + stem + ".o", stem + ".log");
}

}  // namespace noctune::rules_test
