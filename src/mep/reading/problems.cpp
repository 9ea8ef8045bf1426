#include "mep/reading/problems.hpp"

#include <algorithm>
#include <cctype>

#include "mep/reading/tokens.hpp"
#include "mep/reading/words.hpp"

namespace noctune::reading {
namespace {

constexpr std::size_t longest_source = 8u << 20;

using Kind = SourceFunction::Kind;

void add(SourceFacts& facts, const std::string& text, int line, bool fatal,
         const std::string& function = "") {
  SourceProblem problem;
  problem.text = text;
  problem.line = line;
  problem.fatal = fatal;
  problem.function = function;
  facts.problems.push_back(problem);
}

int line_at(const std::string& source, std::size_t at) {
  return 1 +
         static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

bool is_binary(const std::string& source) {
  const std::size_t looked = std::min<std::size_t>(source.size(), 8000);
  return std::any_of(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(looked),
                     [](char c) { return c == '\0' || (static_cast<unsigned char>(c) < 9); });
}

// A line that starts with one of these words, upper or lower case.
bool has_line(const std::string& source, const std::string& start, bool any_case) {
  std::size_t at = 0;
  while (at < source.size()) {
    const std::size_t begin = source.find_first_not_of(" \t", at);
    if (begin == std::string::npos) return false;
    std::string word = source.substr(begin, start.size());
    if (any_case)
      for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word == start) return true;
    at = source.find('\n', begin);
    if (at == std::string::npos) return false;
    ++at;
  }
  return false;
}

bool is_fortran(const std::string& source) {
  return has_line(source, "subroutine ", true) || has_line(source, "end subroutine", true) ||
         has_line(source, "attributes(global)", true) || has_line(source, "implicit none", true);
}

bool is_python(const std::string& source) {
  return has_line(source, "def ", false) ||
         (has_line(source, "import ", false) && has_line(source, "from ", false)) ||
         has_line(source, "@triton", false) || has_line(source, "@cuda.jit", false);
}

std::size_t word_at(const std::string& source, const std::string& word) {
  for (std::size_t at = source.find(word); at != std::string::npos; at = source.find(word, at + 1)) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    const bool before = at > 0 && is_part(source[at - 1]);
    const bool after = at + word.size() < source.size() && is_part(source[at + word.size()]);
    if (!before && !after) return at;
  }
  return std::string::npos;
}

// The body of a template kernel is a call of what its parameter brings along.
bool calls_a_functor(const SourceFunction& function) {
  const auto is_template = [&](const std::string& type) {
    return std::any_of(function.templates.begin(), function.templates.end(), [&](const TemplateParam& one) {
      return one.name == type && one.kind.find("typename") != std::string::npos;
    });
  };
  for (const SourceParam& param : function.params)
    if (!param.is_pointer() && is_template(param.base) &&
        std::find(function.calls.begin(), function.calls.end(), param.name) != function.calls.end())
      return true;
  return false;
}

void functor_problem(const SourceFunction& function, SourceFacts& facts) {
  if (!calls_a_functor(function)) return;
  add(facts,
      function.name +
          " only calls a functor or lambda that it is handed: the work is not in the kernel. Write a "
          "__global__ function with the functor's body in it, or hand in the functor's source as a function "
          "of its own",
      function.declaration.line, true, function.name);
}

void member_problem(const SourceFunction& function, SourceFacts& facts) {
  const std::size_t colon = function.name.rfind("::");
  if (colon == std::string::npos || function.is_static) return;
  const bool fatal = function.kind != Kind::device && !function.names.empty();
  add(facts,
      function.name +
          " is a member of a class and needs an object of it: write a free function that takes what it uses "
          "as parameters",
      function.declaration.line, fatal, function.name);
}

bool is_library_call(const std::string& name) {
  for (const char* with : {"cublas", "cufft", "cusparse", "cusolver", "curand", "rocblas", "hipblas",
                           "rocprim::", "hipcub::", "cudnn", "MPI_", "cblas_", "LAPACKE_"})
    if (name.rfind(with, 0) == 0) return true;
  return false;
}

void call_problems(const SourceFunction& function, SourceFacts& facts) {
  for (const std::string& name : function.calls) {
    if (is_library_call(name) && function.kind != Kind::host)
      add(facts,
          function.name + " calls " + name +
              " of a library: Noctune builds kernels without libraries. Replace the call by code of your "
              "own, or hand in the part without it",
          function.declaration.line, true, function.name);
    const SourceFunction* callee = facts.function(name);
    if (function.kind != Kind::host && callee != nullptr && callee->kind == Kind::host &&
        (facts.language == "cuda" || facts.language == "hip"))
      add(facts,
          function.name + " calls " + name +
              ", which is a function of the host: mark it __device__ if it may run on the device, or hand in "
              "another kernel",
          function.declaration.line, true, function.name);
  }
}

// Functions of the host that call themselves decide while they run what is launched next.
void recursion_problems(SourceFacts& facts) {
  std::vector<std::pair<std::string, std::string>> launched;
  for (const SourceFunction& function : facts.functions) {
    const bool calls_itself =
        std::find(function.calls.begin(), function.calls.end(), function.name) != function.calls.end();
    if (function.kind != Kind::host || !calls_itself || function.name == "main") continue;
    add(facts,
        function.name +
            " calls itself: work that host code makes while it runs cannot be isolated. Hand in the kernel "
            "with one launch of it as the call site",
        function.declaration.line, true, function.name);
    for (const SourceLaunch& launch : facts.launches)
      if (launch.enclosing == function.name && launch.kernel != function.name)
        launched.emplace_back(launch.kernel, function.name);
  }
  std::set<std::string> told;
  for (const auto& [kernel, host] : launched)
    if (told.insert(kernel).second)
      add(facts,
          kernel + " is launched by " + host +
              ", which calls itself: its work depends on earlier launches. Hand in the kernel alone with one "
              "launch of it as the call site",
          facts.function(kernel) ? facts.function(kernel)->declaration.line : 1, true, kernel);
}

// Types and calls of libraries within a function's text.
void library_problem(const std::string& code, const SourceFunction& function, SourceFacts& facts) {
  const bool device_source = facts.language == "cuda" || facts.language == "hip";
  if (function.name == "main" || (device_source && function.kind == Kind::host)) return;
  const std::string text =
      code.substr(function.declaration.begin, function.body.end - function.declaration.begin);
  for (const char* library : {"cub::", "Eigen::", "Kokkos::", "RAJA::", "boost::", "cutlass::", "rocprim::",
                              "hipcub::", "thrust::", "sycl::", "amrex::", "Teuchos::"}) {
    const std::size_t at = word_at(text, std::string(library).substr(0, std::string(library).size() - 2));
    if (at == std::string::npos || text.compare(at, std::string(library).size(), library) != 0) continue;
    if (text.compare(at, 15, "thrust::complex") == 0) continue;
    add(facts,
        function.name + " uses " + library +
            " of a library: Noctune builds kernels without libraries. Replace it by code of your own, or "
            "hand in the part without it",
        function.declaration.line, true, function.name);
    return;
  }
}

void texture_problem(const SourceFunction& function, SourceFacts& facts) {
  for (const SourceSymbol& symbol : facts.symbols) {
    if (symbol.space != SourceSymbol::Space::texture) continue;
    if (std::find(function.names.begin(), function.names.end(), symbol.name) == function.names.end())
      continue;
    add(facts,
        function.name + " reads the texture reference " + symbol.name +
            ": texture references are gone since CUDA 12. Add a pointer parameter and read it by index "
            "instead of tex1Dfetch or tex2D",
        symbol.where.line, true, function.name);
  }
}

}  // namespace

bool find_foreign(const std::string& source, SourceFacts& facts) {
  if (source.size() > longest_source)
    add(facts, "the source has more than 8 MB: hand in the kernel and what it needs alone", 1, true);
  else if (is_binary(source))
    add(facts, "the file is binary: hand in the kernel's source text", 1, true);
  else if (is_fortran(source))
    add(facts,
        "the source is Fortran: only CUDA, HIP, C and C++ can be read. Translate the kernel to C++ first", 1,
        true);
  else if (is_python(source))
    add(facts,
        "the source is Python: only CUDA, HIP, C and C++ can be read. Hand in the generated C++ or CUDA code",
        1, true);
  else
    return false;
  return true;
}

void find_problems(const std::string& code, SourceFacts& facts) {
  const std::size_t okl = code.find("@kernel");
  if (okl != std::string::npos)
    add(facts, "the source is OKL (@kernel, @outer): hand in the CUDA or OpenMP code that OCCA makes of it",
        line_at(code, okl), true);
  for (const char* word : {"__kernel", "get_global_id"}) {
    const std::size_t at = word_at(code, word);
    if (at == std::string::npos || okl != std::string::npos) continue;
    add(facts,
        "the source is OpenCL (__kernel): rewrite the kernel with __global__ and blockIdx, or hand in a CUDA "
        "version",
        line_at(code, at), true);
    break;
  }
  for (const SourceFunction& function : std::vector<SourceFunction>(facts.functions)) {
    functor_problem(function, facts);
    member_problem(function, facts);
    call_problems(function, facts);
    texture_problem(function, facts);
    library_problem(code, function, facts);
  }
  recursion_problems(facts);
}

void find_unknowns(const FileFacts& file, const std::set<std::string>& macros, SourceFacts& facts) {
  std::set<std::string> known = file.known_names, types;
  for (const SourceStruct& one : facts.structs) known.insert(one.name);
  for (const SourceAlias& one : facts.aliases) known.insert(one.name);
  for (const SourceSymbol& one : facts.symbols) known.insert(one.name);
  for (const SourceFunction& one : facts.functions) known.insert(one.name);
  known.insert(macros.begin(), macros.end());
  for (const std::string& type : file.used_types)
    if (known.count(type) == 0 && !is_known_type(type) && !is_library_name(type) && types.insert(type).second)
      facts.unknown_types.push_back(type);
  std::set<std::string> names;
  for (const SourceFunction& function : facts.functions)
    for (const std::string& name : function.names)
      if (known.count(name) == 0 && types.count(name) == 0 && names.insert(name).second)
        facts.unknown_names.push_back(name);
}

}  // namespace noctune::reading
