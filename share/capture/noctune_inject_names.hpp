// What a kernel is called and what it takes, as far as its symbol tells. Symbols of C++ kernels carry the
// parameters' types, also those of a template's instance; those of extern "C" kernels only the name.
#ifndef NOCTUNE_INJECT_NAMES_HPP
#define NOCTUNE_INJECT_NAMES_HPP

#include <cxxabi.h>
#include <fnmatch.h>

#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

namespace noctune_inject {

struct KernelName {
  std::string symbol;        // "_Z4spmvIdEviPKiPKT_PS2_"
  std::string signature;     // "void spmv<double>(int, int const*, double const*, double*)", or the symbol
  std::string name;          // "spmv<double>"
  std::string base;          // "spmv"
  bool knows_types = false;  // false: the symbol says nothing of the parameters
  std::vector<std::string> declared;  // "int", "int const*", ...
};

// ---- text

// Steps of nesting that a character opens (1) or closes (-1).
inline int nesting(char c) {
  if (c == '<' || c == '(' || c == '[' || c == '{') return 1;
  return c == '>' || c == ')' || c == ']' || c == '}' ? -1 : 0;
}

inline std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

// At commas outside of brackets; nothing for an empty text.
inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  std::string one;
  int depth = 0;
  for (const char c : text) {
    depth += nesting(c);
    if (c == ',' && depth == 0) {
      out.push_back(trimmed(one));
      one.clear();
    } else {
      one += c;
    }
  }
  if (!out.empty() || !trimmed(one).empty()) out.push_back(trimmed(one));
  return out;
}

inline std::string demangled(const std::string& symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : symbol;
  std::free(text);
  return symbol.compare(0, 2, "_Z") == 0 ? out : symbol;
}

// ---- names

// Where the parameters begin: the bracket that the last ')' closes; npos without parameters.
inline std::size_t parameters_at(const std::string& signature) {
  std::size_t at = signature.rfind(')');
  if (at == std::string::npos) return at;
  int depth = 0;
  for (;; --at) {
    depth += signature[at] == ')' ? 1 : signature[at] == '(' ? -1 : 0;
    if (depth == 0) return at;
    if (at == 0) return std::string::npos;
  }
}

// "void (anonymous namespace)::app::spmv<double, 4>" -> "spmv<double, 4>"
inline std::string without_scope(const std::string& text) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += nesting(text[i]);
    if (depth == 0 && (text[i] == ' ' || text[i] == ':')) begin = i + 1;
  }
  return text.substr(begin);
}

inline KernelName kernel_name(const std::string& symbol) {
  KernelName out;
  out.symbol = symbol;
  out.signature = demangled(symbol);
  const std::size_t open = parameters_at(out.signature);
  out.knows_types = open != std::string::npos && out.signature != symbol;
  out.name = out.knows_types ? without_scope(out.signature.substr(0, open)) : symbol;
  if (out.name.empty()) out.name = symbol;
  out.base = out.name.substr(0, out.name.find('<'));
  if (!out.knows_types) return out;
  const std::size_t close = out.signature.rfind(')');
  out.declared = split(out.signature.substr(open + 1, close - open - 1));
  if (out.declared.size() == 1 && out.declared[0] == "void") out.declared.clear();
  return out;
}

// Patterns with * and ?, separated by commas, on the plain name, with template arguments, the signature and
// the symbol. No pattern is every kernel.
inline bool selects(const std::string& patterns, const KernelName& kernel) {
  const std::vector<std::string> wanted = split(patterns);
  for (const std::string& pattern : wanted)
    for (const std::string* text : {&kernel.base, &kernel.name, &kernel.signature, &kernel.symbol})
      if (*text == pattern || ::fnmatch(pattern.c_str(), text->c_str(), 0) == 0) return true;
  return wanted.empty();
}

// What a folder may be called: "spmv_double".
inline std::string file_name(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  return out.empty() ? "kernel" : out.substr(0, 64);
}

inline bool is_floating(const std::string& declared) {
  return declared == "float" || declared == "double" || declared == "__half" || declared == "__nv_bfloat16";
}
inline bool is_pointer(const std::string& declared) {
  return !declared.empty() && (declared.back() == '*' || declared.back() == '&');
}

}  // namespace noctune_inject

#endif
