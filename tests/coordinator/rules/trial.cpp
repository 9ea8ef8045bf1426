#include "coordinator/rules/trial.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>

#include "base/json.hpp"
#include "model/expression.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune::rules_test {
namespace {

// Under the address sanitizer the versions are sanitized too, and it finds what leaves a buffer.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t guard_bytes = 0;
constexpr const char* sanitizer = "-fsanitize=address,undefined ";
#else
constexpr std::size_t guard_bytes = 256;
constexpr const char* sanitizer = "";
#endif
constexpr char guard_value = 0x5a;

std::string element_of(const std::string& type) {
  for (const char* name : {"double", "float", "int"})
    if (type.find(name) != std::string::npos) return name;
  throw std::runtime_error("unknown element type: " + type);
}

std::size_t bytes_of(const std::string& element) {
  return element == "double" ? 8 : 4;
}

struct Argument {
  std::string element;
  std::vector<char> bytes;  // with a guard zone at both ends
  std::size_t count = 0;
  double number = 0;  // by-value parameters
  bool compared = false;

  char* data() { return bytes.data() + guard_bytes; }
  const char* data() const { return bytes.data() + guard_bytes; }
  double at(std::size_t i) const {
    if (element == "double") return reinterpret_cast<const double*>(data())[i];
    if (element == "float") return reinterpret_cast<const float*>(data())[i];
    return reinterpret_cast<const int*>(data())[i];
  }
  void set(std::size_t i, double value) {
    if (element == "double")
      reinterpret_cast<double*>(data())[i] = value;
    else if (element == "float")
      reinterpret_cast<float*>(data())[i] = static_cast<float>(value);
    else
      reinterpret_cast<int*>(data())[i] = static_cast<int>(value);
  }
  bool guards_intact() const {
    const auto is_guard = [](char c) { return c == guard_value; };
    return std::all_of(bytes.begin(), bytes.begin() + guard_bytes, is_guard) &&
           std::all_of(bytes.end() - guard_bytes, bytes.end(), is_guard);
  }
};

struct Matrix {
  std::vector<int> row_ptr = {0}, col;
};

Matrix sparse(long long rows, std::mt19937& random) {
  Matrix matrix;
  for (long long row = 0; row < rows; ++row) {
    std::set<int> columns;
    for (unsigned k = 0; k < 1 + random() % 20; ++k)
      columns.insert(static_cast<int>(random() % static_cast<unsigned>(rows)));
    matrix.col.insert(matrix.col.end(), columns.begin(), columns.end());
    matrix.row_ptr.push_back(static_cast<int>(matrix.col.size()));
  }
  return matrix;
}

double number_of(const std::string& expression, const Symbols& symbols) {
  const auto value = evaluate(expression, symbols);
  if (!value) throw std::runtime_error(value.error().text());
  return *value;
}

double value_for(const ParamSpec& param, const std::string& element, const Matrix& matrix, std::size_t i,
                 std::mt19937& random) {
  const std::string part = param.init ? param.init->part : "";
  if (part.find("row_ptr") != std::string::npos) return matrix.row_ptr[i];
  if (part.find(".col") != std::string::npos) return matrix.col[i];
  if (element != "int") return 0.1 + static_cast<double>(random() % 1000) / 1000;
  const double low = param.init ? param.init->low : 0, high = param.init ? param.init->high : 9;
  return low + static_cast<double>(random() % static_cast<unsigned>(high - low + 1));
}

std::vector<Argument> make_arguments(const MepSpec& spec, const std::map<std::string, long long>& sizes) {
  std::mt19937 random(7);
  Symbols symbols;
  for (const auto& [name, value] : sizes) symbols[name] = static_cast<double>(value);
  const Matrix matrix = spec.data.empty() ? Matrix{} : sparse(sizes.at("n"), random);
  for (const DataSpec& data : spec.data) symbols[data.name + ".nnz"] = static_cast<double>(matrix.col.size());
  std::vector<Argument> arguments;
  for (const ParamSpec& param : spec.params) {
    Argument& argument = arguments.emplace_back();
    argument.element = element_of(param.type);
    if (!param.is_pointer()) {
      argument.number = number_of(*param.value, symbols);
      continue;
    }
    argument.count = static_cast<std::size_t>(number_of(param.count, symbols));
    argument.bytes.assign(argument.count * bytes_of(argument.element) + 2 * guard_bytes, guard_value);
    for (std::size_t i = 0; i < argument.count; ++i)
      argument.set(i, value_for(param, argument.element, matrix, i, random));
    argument.compared = (param.role == Role::out || param.role == Role::inout) && param.live_out;
  }
  return arguments;
}

double error_between(const Argument& expected, const Argument& found) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < expected.count; ++i) {
    const double a = expected.at(i), b = found.at(i);
    if (std::isnan(b)) return std::numeric_limits<double>::infinity();
    difference += (a - b) * (a - b);
    norm += a * a;
  }
  return difference == 0 ? 0 : std::sqrt(difference / (norm > 0 ? norm : 1));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Every version in a namespace of its own; the headers come first, so that theirs are no-ops there.
std::string joint_source(const Hotspot& hotspot, const std::vector<RuleProposal>& versions) {
  std::string text = "#include <omp.h>\n#include <algorithm>\n#include <cmath>\n#include <new>\n";
  std::vector<std::string> sources = {hotspot.context.source};
  for (const RuleProposal& version : versions) sources.push_back(version.source);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string space = "version" + std::to_string(i);
    text += "namespace " + space + " {\n" + replaced(sources[i], "extern \"C\" ", "") +
            "}\nextern \"C\" void run" + std::to_string(i) + "(void** a) {\n  " + space +
            "::" + hotspot.context.entry + "(";
    for (std::size_t p = 0; p < hotspot.context.spec.params.size(); ++p) {
      const ParamSpec& param = hotspot.context.spec.params[p];
      const std::string argument = "a[" + std::to_string(p) + "]";
      text += p ? ", " : "";
      text += param.is_pointer() ? "static_cast<" + param.type + ">(" + argument + ")"
                                 : "static_cast<" + param.type + ">(*static_cast<double*>(" + argument + "))";
    }
    text += ");\n}\n";
  }
  return text;
}

}  // namespace

std::vector<std::string> hotspot_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(NOCTUNE_SOURCE_DIR "/hotspots"))
    if (file.path().extension() == ".cpp") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Hotspot load_hotspot(const std::string& name) {
  const std::string stem = std::string(NOCTUNE_SOURCE_DIR "/hotspots/") + name;
  Hotspot hotspot;
  hotspot.name = name;
  hotspot.context.source = value_or_throw(read_file(stem + ".cpp"));
  hotspot.context.spec = read_mep_spec(value_or_throw(read_json(stem + ".mep.json")));
  hotspot.context.entry = hotspot.context.spec.entry;
  hotspot.context.flags = {"-O3", "-march=native", "-fopenmp"};
  std::map<std::string, long long> declared;
  for (const SizeSpec& size : hotspot.context.spec.sizes) declared[size.name] = size.value;
  hotspot.context.sizes = declared;
  for (const CaseSpec& one : hotspot.context.spec.cases) {
    if (one.use == CaseUse::time) continue;
    std::map<std::string, long long> sizes = declared;
    Symbols symbols;
    for (const auto& [key, value] : one.sizes)
      if (value != "auto") sizes[key] = static_cast<long long>(number_of(value, symbols));
    hotspot.cases.push_back(sizes);
  }
  return hotspot;
}

Trial::Trial(const Hotspot& hotspot, const std::vector<RuleProposal>& versions)
    : hotspot_(hotspot), folder_(value_or_throw(ScratchFolder::make("noctune-rules-"))) {
  const std::string stem = (folder_.path() / "versions").string();
  value_or_throw(write_file(stem + ".cpp", joint_source(hotspot, versions)));
  const std::string command =
      "g++ -std=gnu++17 -O1 -march=native -fopenmp -fPIC -shared -Wall -Wextra -Werror "
      "-Wno-unused-parameter " +
      std::string(sanitizer) + stem + ".cpp -o " + stem + ".so 2> " + stem + ".log";
  if (std::system(command.c_str()) != 0) throw std::runtime_error(value_or_throw(read_file(stem + ".log")));
  library_ = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) throw std::runtime_error(dlerror());
  for (std::size_t i = 0; i <= versions.size(); ++i)
    entries_.push_back(reinterpret_cast<Entry>(dlsym(library_, ("run" + std::to_string(i)).c_str())));
}

Trial::~Trial() {
  // libgomp's threads outlive a closed library badly, so it stays loaded.
}

double Trial::error_of(std::size_t version, const std::map<std::string, long long>& sizes) const {
  const MepSpec& spec = hotspot_.context.spec;
  const std::vector<Argument> start = make_arguments(spec, sizes);
  std::vector<Argument> expected = start, found = start;
  for (auto [arguments, entry] : {std::pair(&expected, entries_[0]), std::pair(&found, entries_[version])}) {
    std::vector<void*> pointers;
    for (std::size_t p = 0; p < spec.params.size(); ++p) {
      Argument& argument = (*arguments)[p];
      pointers.push_back(spec.params[p].is_pointer() ? static_cast<void*>(argument.data())
                                                     : &argument.number);
    }
    entry(pointers.data());
  }
  double worst = 0;
  for (std::size_t p = 0; p < spec.params.size(); ++p) {
    if (!spec.params[p].is_pointer()) continue;
    const bool input = spec.params[p].role == Role::in;
    if (!found[p].guards_intact() || (input && found[p].bytes != start[p].bytes))
      return std::numeric_limits<double>::infinity();
    if (found[p].compared) worst = std::max(worst, error_between(expected[p], found[p]));
  }
  return worst;
}

}  // namespace noctune::rules_test
