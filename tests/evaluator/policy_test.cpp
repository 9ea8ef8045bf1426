#include "evaluator/policy.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace noctune {
namespace {

using ::testing::HasSubstr;

TEST(NormalisedSource, IgnoresCommentsAndLayout) {
  EXPECT_EQ(normalised_source("int  f ( ) { return 1 ; } // one"),
            normalised_source("int f(){\n  return /* x */ 1;\n}"));
}

TEST(NormalisedSource, KeepsWhatMatters) {
  EXPECT_NE(normalised_source("int f() { return 1; }"), normalised_source("int f() { return 2; }"));
  EXPECT_NE(normalised_source("intf()"), normalised_source("int f()"));
  EXPECT_NE(normalised_source("const char* s = \"a  b\";"), normalised_source("const char* s = \"a b\";"));
  EXPECT_EQ(normalised_source("const char* s = \"// no comment\";"), "const char*s=\"// no comment\";");
}

TEST(NormalisedSource, PragmasKeepTheirLines) {
  const std::string with = normalised_source("#pragma omp parallel for\nfor (;;) {}");
  EXPECT_EQ(with, "#pragma omp parallel for\nfor(;;){}");
  EXPECT_NE(with, normalised_source("for (;;) {}"));
}

TEST(NormalisedSource, SurvivesBrokenText) {
  for (const char* text : {"/* never closed", "\"never closed", "'\\", "R\"never closed", "R\"x(never", "\\",
                           "\\\n", "1'", "/", "#", "%:", "// \\"})
    EXPECT_NO_THROW(normalised_source(text)) << text;
}

TEST(SourceObjection, AllowsStandardHeadersAndContext) {
  EXPECT_FALSE(source_objection("#include <cmath>\n#include \"context.hpp\"\n"));
  EXPECT_FALSE(source_objection("#include <sys/types.h>  // types\n#include <bits/stdc++.h>\n"));
  EXPECT_FALSE(source_objection("// #include \"/etc/passwd\"\n"));
  EXPECT_FALSE(source_objection("const char* text = R\"(\n#include \"/etc/passwd\"\n)\";\n"));
  EXPECT_FALSE(source_objection("#if __has_include(<immintrin.h>)\n#include <immintrin.h>\n#endif\n"));
}

TEST(SourceObjection, RefusesOtherFiles) {
  for (const char* source :
       {"#include \"mine.hpp\"\n", "  #  include </etc/passwd>\n", "#include <../x>\n",
        "#include <//etc/passwd>\n", "#include </*/etc/passwd>\n", "asm(\".incbin \\\"/etc/passwd\\\"\");",
        "#include NAME\n", "#include_next <x.h>\n", "#import <x.h>\n", "#embed \"/etc/passwd\"\n",
        "%:include \"/etc/passwd\"\n", "#if __has_include(\"/etc/passwd\")\n#endif\n",
        "#line 1 \"/etc/passwd\"\n", "# 1 \"/etc/passwd\"\n", "#pragma GCC dependency \"/etc/passwd\"\n",
        "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")\n", "asm(\".include \\\"/etc/passwd\\\"\");"})
    EXPECT_TRUE(source_objection(source)) << source;
}

// Each text lets a careless reader take the include for part of a comment or a literal.
TEST(SourceObjection, ReadsTextAsCompilersDo) {
  const std::string include = "\n#include \"/etc/passwd\"\n";
  for (const char* source : {"#inc\\\nlude \"/etc/passwd\"\n", "#inc\\  \nlude \"/etc/passwd\"\n",
                             "\xEF\xBB\xBF#include \"/etc/passwd\"\n", "\f#include \"/etc/passwd\"\n",
                             "/**/#include \"/etc/passwd\"\n", "/\\\n**/ #include \"/etc/passwd\"\n"})
    EXPECT_TRUE(source_objection(source)) << source;
  EXPECT_TRUE(source_objection("const char* a = R\"( \" /* )\";" + include + "// */\n"));
  EXPECT_TRUE(source_objection("const char* a = R\"( )\\\n\" /* )\";" + include + "// */\n"));
  EXPECT_TRUE(source_objection("const char* a = u8R\"x( \" /* )x\";" + include + "// */\n"));
  EXPECT_TRUE(source_objection("int a = 1'0; /* R\"x( */" + include + "// )x\"\n"));
  EXPECT_TRUE(source_objection("char a = '\\\"'; /* */" + include));
  EXPECT_TRUE(source_objection("int aR = 1; const char* b = aR\"( /* )\";" + include));
  EXPECT_TRUE(
      source_objection("?"
                       "?=include \"/etc/passwd\"\n"));
}

TEST(SourceObjection, RefusesSystemCallsInAssembly) {
  EXPECT_THAT(*source_objection("void f() { asm volatile(\"mov $1, %rax\\n syscall\"); }"),
              HasSubstr("syscall"));
  EXPECT_TRUE(source_objection("void f() { asm volatile(\"int $0x80\"); }"));
  EXPECT_FALSE(source_objection("void f() { asm volatile(\"pause\"); }"));
  EXPECT_FALSE(source_objection("const char* text = \"no syscall here\";"));
}

TEST(SourceObjection, RefusesCodeAroundTheEntrysLife) {
  EXPECT_TRUE(source_objection("__attribute__((constructor)) static void f() {}"));
  EXPECT_TRUE(source_objection("[[gnu::destructor]] static void f() {}"));
  EXPECT_TRUE(source_objection("__attribute__((section(\".init_array\"))) void (*p)() = nullptr;"));
  EXPECT_FALSE(source_objection("struct T { T(); };  // its constructor fills a table\nstatic T table;"));
}

TEST(SourceObjection, RefusesValueChangingSwitchesOnly) {
  EXPECT_TRUE(source_objection("#pragma GCC optimize(\"Ofast\")\n"));
  EXPECT_TRUE(source_objection("#pragma GCC optimize \"O3,fast-math\"\n"));
  EXPECT_TRUE(source_objection("__attribute__((__optimize__(\"-ffast-math\"))) void f() {}"));
  EXPECT_TRUE(source_objection("#pragma clang fp reassociate(on)\n"));
  EXPECT_TRUE(source_objection("_Pragma(\"GCC optimize(\\\"unsafe-math-optimizations\\\")\")\n"));
  EXPECT_FALSE(source_objection("#pragma GCC optimize(\"O3\", \"unroll-loops\", \"no-math-errno\")\n"));
  EXPECT_FALSE(source_objection("#pragma GCC target(\"avx2\")\n#pragma omp simd reduction(+ : s)\n"));
}

TEST(SourceObjection, RefusesPlaceholders) {
  for (const char* source :
       {"void f() { /* TODO */ }", "void f() {\n  // same as before\n}", "// ... existing code ...",
        "void f() { g(); // ... rest of the kernel\n}", "// Your code here\n"})
    EXPECT_THAT(*source_objection(source), HasSubstr("placeholder")) << source;
  for (const char* source :
       {"// TODO: tune the block size\nvoid f() { g(); }", "void f() { if (x) { /* nothing left */ } }",
        "void f() { g(); }  // the rest of the row is unchanged", "void f() {} // same as before"})
    EXPECT_FALSE(source_objection(source)) << source;
}

TEST(SourceObjection, WhatTheOriginalDoesIsWaived) {
  const std::string own = "#include \"mine.hpp\"\n";
  EXPECT_FALSE(source_objection(own, own + "void f() {}"));
  EXPECT_FALSE(
      source_objection("#pragma GCC optimize(\"fast-math\")\n", "#pragma GCC optimize(\"fast-math\")\n//"));
  EXPECT_TRUE(source_objection("#include \"/etc/passwd\"\n", own));
}

PluginBinary binary(std::vector<std::string> defined, std::vector<std::string> undefined) {
  PluginBinary out;
  out.defined = std::move(defined);
  out.undefined = std::move(undefined);
  std::sort(out.defined.begin(), out.defined.end());
  std::sort(out.undefined.begin(), out.undefined.end());
  return out;
}

TEST(BinaryObjection, WantsTheEntryAndNoForbiddenFunctions) {
  EXPECT_FALSE(binary_objection(binary({"gemm"}, {"GOMP_parallel", "sqrt"}), "gemm", {}));
  EXPECT_THAT(*binary_objection(binary({"other"}, {}), "gemm", {}), HasSubstr("gemm"));
  EXPECT_THAT(*binary_objection(binary({"gemm"}, {"fork", "sqrt"}), "gemm", {}), HasSubstr("fork"));
}

TEST(BinaryObjection, KnowsTheVariantsOfAFunction) {
  for (const char* name : {"open64",
                           "__open64_2",
                           "__open",
                           "__read_chk",
                           "__libc_fork",
                           "_exit",
                           "_Exit",
                           "__isoc99_fscanf",
                           "_IO_getc",
                           "pthread_setaffinity_np",
                           "__environ",
                           "mmap64",
                           "madvise",
                           "personality",
                           "omp_set_num_threads",
                           "fesetenv",
                           "_ZNSt6chrono3_V212steady_clock3nowEv",
                           "_ZNSt6thread15_M_start_threadE",
                           "clock_nanosleep",
                           "dlvsym"})
    EXPECT_TRUE(binary_objection(binary({"gemm"}, {name}), "gemm", {})) << name;
}

TEST(BinaryObjection, AllowsWhatKernelsNeed) {
  EXPECT_FALSE(binary_objection(binary({"gemm", "_ZN4tile3runEv"}, {"GOMP_parallel",
                                                                    "GOMP_loop_dynamic_next",
                                                                    "omp_get_thread_num",
                                                                    "omp_get_max_threads",
                                                                    "malloc",
                                                                    "free",
                                                                    "aligned_alloc",
                                                                    "memcpy",
                                                                    "memset",
                                                                    "_Znwm",
                                                                    "_ZdlPvm",
                                                                    "__cxa_atexit",
                                                                    "__cxa_finalize",
                                                                    "__gxx_personality_v0",
                                                                    "_Unwind_Resume",
                                                                    "__tls_get_addr",
                                                                    "__stack_chk_fail",
                                                                    "exp",
                                                                    "pow",
                                                                    "sincos",
                                                                    "_ZGVdN4v_exp",
                                                                    "_ZSt20__throw_length_errorPKc",
                                                                    "_ZSt17__throw_bad_allocv",
                                                                    "__assert_fail",
                                                                    "printf",
                                                                    "abort",
                                                                    "rand",
                                                                    "__gmon_start__",
                                                                    "_ITM_registerTMCloneTable",
                                                                    "sched_yield",
                                                                    "sysconf"}),
                                "gemm", {}));
}

TEST(BinaryObjection, SaysInWordsWhatElseAPluginAsksFor) {
  const auto why = [](const char* trait) { return *binary_objection(binary({"gemm"}, {trait}), "gemm", {}); };
  EXPECT_THAT(why("[executable stack]"), HasSubstr("executable stack"));
  EXPECT_THAT(why("[own malloc]"), HasSubstr("defines malloc"));
  EXPECT_THAT(why("[library libcurl.so.4]"), HasSubstr("the library libcurl.so.4"));
  EXPECT_FALSE(binary_objection(binary({"gemm"}, {"[own malloc]"}), "gemm", {"[own malloc]"}));
}

TEST(BinaryObjection, WhatTheOriginalNeedsIsWaived) {
  EXPECT_FALSE(binary_objection(binary({"gemm"}, {"getenv"}), "gemm", {"getenv"}));
}

}  // namespace
}  // namespace noctune
