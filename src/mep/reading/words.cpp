#include "mep/reading/words.hpp"

#include <cctype>
#include <map>
#include <unordered_set>

namespace noctune::reading {
namespace {

using Words = std::unordered_set<std::string>;

bool starts(const std::string& word, const char* with) {
  return word.rfind(with, 0) == 0;
}

const std::map<std::string, int>& scalar_sizes() {
  static const std::map<std::string, int> sizes = {{"char", 1},
                                                   {"signed char", 1},
                                                   {"unsigned char", 1},
                                                   {"bool", 1},
                                                   {"short", 2},
                                                   {"unsigned short", 2},
                                                   {"int", 4},
                                                   {"unsigned", 4},
                                                   {"unsigned int", 4},
                                                   {"long", 8},
                                                   {"unsigned long", 8},
                                                   {"long long", 8},
                                                   {"unsigned long long", 8},
                                                   {"unsigned long long int", 8},
                                                   {"long long int", 8},
                                                   {"float", 4},
                                                   {"double", 8},
                                                   {"half", 2},
                                                   {"__half", 2},
                                                   {"__nv_bfloat16", 2},
                                                   {"int8_t", 1},
                                                   {"uint8_t", 1},
                                                   {"int16_t", 2},
                                                   {"uint16_t", 2},
                                                   {"int32_t", 4},
                                                   {"uint32_t", 4},
                                                   {"int64_t", 8},
                                                   {"uint64_t", 8},
                                                   {"size_t", 8},
                                                   {"uint", 4},
                                                   {"uchar", 1},
                                                   {"ushort", 2},
                                                   {"ulong", 8},
                                                   {"half2", 4},
                                                   {"__half2", 4},
                                                   {"_Float16", 2}};
  return sizes;
}

// "float4" as {"float", 4}; lanes 0 where it is no vector type.
std::pair<std::string, int> lanes_of(const std::string& word) {
  if (word.size() < 4 || word.back() < '1' || word.back() > '4') return {"", 0};
  const std::string base = word.substr(0, word.size() - 1);
  static const std::map<std::string, std::string> bases = {
      {"char", "char"},     {"uchar", "uchar"},     {"short", "short"}, {"ushort", "ushort"},
      {"int", "int"},       {"uint", "uint"},       {"long", "long"},   {"ulong", "ulong"},
      {"longlong", "long"}, {"ulonglong", "ulong"}, {"float", "float"}, {"double", "double"}};
  const auto found = bases.find(base);
  return found == bases.end() ? std::pair<std::string, int>{"", 0}
                              : std::pair<std::string, int>{found->second, word.back() - '0'};
}

}  // namespace

bool is_keyword(const std::string& word) {
  static const Words words = {"if",
                              "else",
                              "for",
                              "while",
                              "do",
                              "switch",
                              "case",
                              "default",
                              "break",
                              "continue",
                              "return",
                              "goto",
                              "sizeof",
                              "alignof",
                              "new",
                              "delete",
                              "this",
                              "true",
                              "false",
                              "nullptr",
                              "operator",
                              "template",
                              "typename",
                              "class",
                              "struct",
                              "union",
                              "enum",
                              "typedef",
                              "using",
                              "namespace",
                              "public",
                              "private",
                              "protected",
                              "virtual",
                              "friend",
                              "const",
                              "volatile",
                              "constexpr",
                              "static",
                              "extern",
                              "inline",
                              "register",
                              "mutable",
                              "explicit",
                              "throw",
                              "try",
                              "catch",
                              "noexcept",
                              "decltype",
                              "auto",
                              "static_cast",
                              "reinterpret_cast",
                              "const_cast",
                              "dynamic_cast",
                              "and",
                              "or",
                              "not",
                              "restrict",
                              "__restrict__",
                              "__restrict",
                              "asm",
                              "__asm__",
                              "override",
                              "final",
                              "static_assert",
                              "alignas",
                              "thread_local",
                              "concept",
                              "requires"};
  return words.count(word) > 0;
}

bool is_builtin_type_word(const std::string& word) {
  static const Words words = {"void",     "bool",     "char",   "short",    "int",     "long",
                              "float",    "double",   "signed", "unsigned", "wchar_t", "_Bool",
                              "_Complex", "__int128", "auto",   "_Float16"};
  return words.count(word) > 0;
}

bool is_vector_type(const std::string& word) {
  return lanes_of(word).second > 0;
}

bool is_known_type(const std::string& word) {
  static const Words words = {"ptrdiff_t",
                              "ssize_t",
                              "intptr_t",
                              "uintptr_t",
                              "dim3",
                              "cudaStream_t",
                              "hipStream_t",
                              "cudaError_t",
                              "hipError_t",
                              "cuFloatComplex",
                              "cuDoubleComplex",
                              "cuComplex",
                              "hipFloatComplex",
                              "hipDoubleComplex",
                              "hipComplex",
                              "nv_bfloat16",
                              "__nv_bfloat162",
                              "nv_bfloat162",
                              "hip_bfloat16",
                              "FILE",
                              "string",
                              "vector",
                              "std",
                              "cooperative_groups",
                              "cg",
                              "cudaTextureObject_t",
                              "hipTextureObject_t",
                              "complex"};
  return is_builtin_type_word(word) || is_vector_type(word) || scalar_sizes().count(word) > 0 ||
         words.count(word) > 0 || starts(word, "std::") || starts(word, "cg::") ||
         starts(word, "cooperative_groups::") || starts(word, "thrust::complex");
}

bool is_storage_word(const std::string& word) {
  static const Words words = {
      "static",       "extern",       "inline",       "__inline__",        "__inline",      "__forceinline__",
      "__noinline__", "constexpr",    "register",     "mutable",           "typename",      "explicit",
      "virtual",      "friend",       "thread_local", "__global__",        "__device__",    "__host__",
      "__shared__",   "__constant__", "__managed__",  "__grid_constant__", "struct",        "class",
      "union",        "enum",         "consteval",    "constinit",         "__extension__", "forceinline"};
  return words.count(word) > 0;
}

bool is_qualifier(const std::string& word) {
  if (word == "const" || word == "volatile" || word == "__const") return true;
  std::string small;
  for (const char c : word) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small.find("restrict") != std::string::npos;
}

bool is_attribute(const std::string& word) {
  static const Words words = {"__launch_bounds__", "__attribute__", "__attribute", "alignas",
                              "__align__",         "__declspec",    "__maxnreg__", "__cluster_dims__",
                              "noexcept",          "throw",         "decltype",    "requires",
                              "__block_size__"};
  return words.count(word) > 0;
}

bool is_device_word(const std::string& word) {
  static const Words words = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
  return words.count(word) > 0 || starts(word, "hipThreadIdx_") || starts(word, "hipBlockIdx_") ||
         starts(word, "hipBlockDim_") || starts(word, "hipGridDim_");
}

bool is_atomic_function(const std::string& word) {
  return starts(word, "atomic") || starts(word, "unsafeAtomic") || starts(word, "__sync_") ||
         starts(word, "__atomic_") || starts(word, "__hip_atomic_");
}

bool is_barrier(const std::string& word) {
  return starts(word, "__syncthreads") || starts(word, "__barrier");
}

bool is_warp_intrinsic(const std::string& word) {
  for (const char* with :
       {"__shfl", "__ballot", "__any", "__all", "__activemask", "__reduce_", "__match_", "__syncwarp"})
    if (starts(word, with)) return true;
  return false;
}

bool is_library_name(const std::string& word) {
  static const Words math = {
      "sqrt",     "rsqrt",  "cbrt",      "rcbrt", "fabs",     "abs",      "labs",    "exp",       "exp2",
      "exp10",    "expm1",  "log",       "log2",  "log10",    "log1p",    "pow",     "sin",       "cos",
      "tan",      "asin",   "acos",      "atan",  "atan2",    "sinh",     "cosh",    "tanh",      "asinh",
      "acosh",    "atanh",  "erf",       "erfc",  "floor",    "ceil",     "round",   "trunc",     "rint",
      "fmin",     "fmax",   "fmod",      "hypot", "fma",      "ldexp",    "frexp",   "modf",      "sincos",
      "copysign", "min",    "max",       "isnan", "isinf",    "isfinite", "signbit", "nearbyint", "lround",
      "tgamma",   "lgamma", "sinpi",     "cospi", "sincospi", "normcdf",  "erfinv",  "umin",      "umax",
      "mul24",    "umul24", "remainder", "fdim",  "swap"};
  static const Words others = {"printf",
                               "assert",
                               "memcpy",
                               "memset",
                               "memmove",
                               "malloc",
                               "calloc",
                               "free",
                               "exit",
                               "abort",
                               "fprintf",
                               "stderr",
                               "stdout",
                               "NULL",
                               "INFINITY",
                               "NAN",
                               "FLT_MAX",
                               "FLT_MIN",
                               "FLT_EPSILON",
                               "DBL_MAX",
                               "DBL_MIN",
                               "DBL_EPSILON",
                               "INT_MAX",
                               "INT_MIN",
                               "UINT_MAX",
                               "LONG_MAX",
                               "LONG_MIN",
                               "SIZE_MAX",
                               "RAND_MAX",
                               "rand",
                               "srand",
                               "M_PI",
                               "M_PI_2",
                               "M_PI_4",
                               "M_E",
                               "M_SQRT2",
                               "M_SQRT1_2",
                               "M_LN2",
                               "HUGE_VAL",
                               "CHAR_BIT",
                               "clock",
                               "clock64",
                               "trap",
                               "int_as_float",
                               "std",
                               "cg",
                               "cooperative_groups",
                               "this_thread_block",
                               "tiled_partition",
                               "this_grid",
                               "coalesced_threads",
                               "UCHAR_MAX",
                               "SHRT_MAX",
                               "USHRT_MAX",
                               "HIP_DYNAMIC_SHARED"};
  if (math.count(word) || others.count(word) || is_device_word(word) || is_atomic_function(word)) return true;
  if (word.size() > 2 && (word.back() == 'f' || word.back() == 'l') &&
      math.count(word.substr(0, word.size() - 1)))
    return true;
  for (const char* with : {"__", "make_", "omp_", "cuda", "hip", "cu", "tex1D", "tex2D", "tex3D", "INT8_",
                           "INT16_", "INT32_", "INT64_", "UINT8_", "UINT16_", "UINT32_", "UINT64_"})
    if (starts(word, with)) return starts(word, "cu") && !starts(word, "cuda") ? starts(word, "cuC") : true;
  return false;
}

int size_of_type(const std::string& type) {
  const std::string bare = starts(type, "std::") ? type.substr(5) : type;
  const auto& sizes = scalar_sizes();
  if (const auto found = sizes.find(bare); found != sizes.end()) return found->second;
  const auto [base, lanes] = lanes_of(bare);
  return lanes == 0 ? 0 : sizes.at(base) * lanes;
}

}  // namespace noctune::reading
