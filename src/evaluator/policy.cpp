#include "evaluator/policy.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.hpp"
#include "evaluator/source_text.hpp"
#include "evaluator/system_names.hpp"

namespace noctune {
namespace {

using Kind = SourcePiece::Kind;

// A source as the rules look at it.
struct Reading {
  explicit Reading(const std::string& source)
      : pieces(source_pieces(source)), flat(flat_code(pieces)), lines(directives(flat)) {
    for (const SourcePiece& piece : pieces)
      if (piece.kind == Kind::code) code += piece.text + " ";
  }
  bool has_any_word(std::initializer_list<const char*> words) const {
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return has_word(code, word); });
  }

  std::vector<SourcePiece> pieces;
  std::string flat, code;  // with and without literals
  std::vector<Directive> lines;
};

using Objections = std::vector<std::string>;

bool is_plain_header(const std::string& rest) {
  const auto end = rest.find('>');
  return rest.rfind('<', 0) == 0 && end != std::string::npos && end > 1 && rest[1] != '/' &&
         std::all_of(rest.begin() + 1, rest.begin() + static_cast<std::ptrdiff_t>(end),
                     [](char c) { return is_word_character(c) || std::string("/.+-").find(c) < 4; }) &&
         rest.substr(0, end).find("..") == std::string::npos;
}

void judge_include(const Directive& line, Objections& out) {
  if (is_plain_header(line.rest) || line.rest.rfind("\"context.hpp\"", 0) == 0) return;
  if (line.rest.rfind('<', 0) == 0)
    out.push_back("includes by an absolute or upward path (" + line.text() + ")");
  else if (line.rest.rfind('"', 0) == 0)
    out.push_back("includes a file of its own (" + line.text() +
                  "); a version is one self-contained file that may include standard headers and "
                  "context.hpp");
  else
    out.push_back("includes a file whose name a macro makes (" + line.text() + ")");
}

// __has_include("/etc/shadow") tells whether a file is there.
void judge_condition(const Directive& line, Objections& out) {
  for (const std::string asks : {"__has_include", "__has_include_next", "__has_embed"})
    for (auto at = line.rest.find(asks); at != std::string::npos; at = line.rest.find(asks, at + 1)) {
      auto from = at + asks.size();
      while (from < line.rest.size() && (line.rest[from] == ' ' || line.rest[from] == '(')) ++from;
      const std::string operand = line.rest.substr(from);
      const bool defined = operand.empty() || operand[0] == ')' || operand[0] == '&' || operand[0] == '|';
      if (!defined && !is_word_character(operand[0]) && !is_plain_header(operand))
        out.push_back("asks for a file by " + asks + " (" + line.text() + ")");
    }
}

void judge_directives(const Reading& source, Objections& out) {
  for (const Directive& line : source.lines) {
    if (line.name == "include")
      judge_include(line, out);
    else if (line.name == "include_next" || line.name == "import" || line.name == "embed")
      out.push_back("includes by " + line.text() + "; only #include is allowed");
    else if (line.name == "line" ||
             (!line.name.empty() && std::isdigit(static_cast<unsigned char>(line.name[0]))))
      out.push_back("names another file for its lines (#line): compilers would quote that file");
    else if (line.name == "if" || line.name == "elif" || line.name == "define")
      judge_condition(line, out);
  }
}

// #pragma lines, and literals of _Pragma, that look at other files.
void judge_pragmas(const Reading& source, Objections& out) {
  const bool by_operator = source.has_any_word({"_Pragma", "__pragma"});
  for (const char* word : {"dependency", "pch_preprocess"}) {
    const auto names = [&](const std::string& text) { return has_word(text, "GCC") && has_word(text, word); };
    bool found = false;
    for (const Directive& line : source.lines) found |= line.name == "pragma" && names(line.rest);
    for (const SourcePiece& piece : source.pieces)
      found |= by_operator && piece.kind == Kind::literal && names(piece.text);
    if (found) out.push_back(std::string("looks at another file (#pragma GCC ") + word + ")");
  }
}

void judge_assembly(const Reading& source, Objections& out) {
  if (source.flat.find(".incbin") != std::string::npos) out.push_back("embeds a file with .incbin");
  if (!source.has_any_word({"asm", "__asm__", "__asm"})) return;
  for (const SourcePiece& piece : source.pieces) {
    if (piece.kind != Kind::literal) continue;
    if (piece.text.find(".include") != std::string::npos) out.push_back("includes a file in inline assembly");
    for (const char* call : {"syscall", "sysenter"})
      if (has_word(piece.text, call))
        out.push_back(std::string("makes a system call in inline assembly (") + call + ")");
    if (has_word(piece.text, "int") && (has_word(piece.text, "0x80") || has_word(piece.text, "128")))
      out.push_back("makes a system call in inline assembly (int 0x80)");
  }
}

// Code that runs while the plugin is loaded or unloaded. Static objects do so as well and are allowed: tables
// are filled that way, and nothing they could do is beyond the entry itself.
void judge_startup(const Reading& source, Objections& out) {
  for (const std::string word : {"constructor", "destructor", "init_priority"})
    if (has_word(source.code, word) || has_word(source.code, "__" + word + "__"))
      out.push_back("has code run while it is loaded or unloaded (attribute " + word + ")");
  for (const char* word : {"atexit", "at_quick_exit"})
    if (has_word(source.code, word))
      out.push_back(std::string("has code run when the process ends (") + word + ")");
  for (const SourcePiece& piece : source.pieces)
    for (const char* section : {".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors"})
      if (piece.kind == Kind::literal && piece.text.find(section) != std::string::npos)
        out.push_back(std::string("has code run while it is loaded or unloaded (section ") + section + ")");
}

// A candidate is built with K(0)'s flags; switches in the source must not change what its arithmetic means.
void judge_arithmetic(const Reading& source, Objections& out) {
  const auto refuse = [&](const std::string& what) {
    out.push_back("turns on value-changing arithmetic (" + what +
                  "): write the order of operations you want, or use `omp simd reduction`");
  };
  const bool optimizes = source.has_any_word({"optimize", "__optimize__", "_Pragma", "__pragma"});
  for (const SourcePiece& piece : source.pieces)
    for (const char* option :
         {"fast-math", "Ofast", "unsafe-math", "associative-math", "reciprocal-math", "finite-math",
          "no-signed-zeros", "cx-limited-range", "single-precision-constant"})
      if (optimizes && piece.kind == Kind::literal && piece.text.find(option) != std::string::npos)
        refuse(option);
  for (const Directive& line : source.lines) {
    if (line.name != "pragma") continue;
    if (has_word(line.rest, "float_control")) refuse("float_control");
    if (has_word(line.rest, "clang") && has_word(line.rest, "fp") && has_word(line.rest, "reassociate"))
      refuse("clang fp reassociate");
  }
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool mentions(const std::string& comment, std::initializer_list<const char*> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](const char* phrase) { return comment.find(phrase) != std::string::npos; });
}

// The character of code that a comment stands next to, blanks apart.
char edge(const std::string& code, bool last) {
  const auto at = last ? code.find_last_not_of(" \t\r\n") : code.find_first_not_of(" \t\r\n");
  return at == std::string::npos ? '\0' : code[at];
}

bool is_placeholder(const std::string& comment, bool alone_in_braces) {
  const bool dots = mentions(comment, {"...", "\xe2\x80\xa6"});
  if (mentions(comment, {"your code here", "code goes here"})) return true;
  if (dots && mentions(comment, {"rest of", "existing code", "unchanged", "same as", "omitted", "remaining"}))
    return true;
  return alone_in_braces &&
         mentions(comment, {"todo", "implement", "same as", "as before", "unchanged", "omitted"});
}

// What models write when they leave code out: "// ... rest of the code", or { /* TODO */ }.
std::vector<std::string> placeholders(const std::vector<SourcePiece>& pieces) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].kind != Kind::comment) continue;
    const bool alone = i > 0 && i + 1 < pieces.size() && edge(pieces[i - 1].text, true) == '{' &&
                       edge(pieces[i + 1].text, false) == '}';
    if (is_placeholder(lower(pieces[i].text), alone)) out.push_back(pieces[i].text);
  }
  return out;
}

void judge_placeholders(const Reading& source, Objections& out) {
  for (const std::string& one : placeholders(source.pieces))
    out.push_back("has a placeholder where code should be (" + one + "); the answer must be the whole file");
}

Objections all_objections(const std::string& source) {
  Objections out;
  for (const char* trigraph : {"?"
                               "?=",
                               "?"
                               "?/"})
    if (source.find(trigraph) != std::string::npos)
      out.push_back(std::string("holds the trigraph ") + trigraph +
                    ", which compilers read in different ways");
  const Reading reading(source);
  judge_directives(reading, out);
  judge_pragmas(reading, out);
  judge_assembly(reading, out);
  judge_startup(reading, out);
  judge_arithmetic(reading, out);
  judge_placeholders(reading, out);
  return out;
}

}  // namespace

std::string normalised_source(const std::string& source) {
  std::string out;
  bool gap = false, directive = false;
  const auto add = [&](char c) {
    if (c == '\n' && directive) {  // a preprocessor line ends with its line
      out += '\n';
      directive = gap = false;
      return;
    }
    if (std::isspace(static_cast<unsigned char>(c))) {
      gap = true;
      return;
    }
    if (c == '#' && (out.empty() || out.back() == '\n' || gap)) {
      if (!out.empty() && out.back() != '\n') out += '\n';
      directive = true;
    } else if (gap && !out.empty() && is_word_character(out.back()) && is_word_character(c)) {
      out += ' ';
    }
    gap = false;
    out += c;
  };
  for (const SourcePiece& piece : source_pieces(source)) {
    if (piece.kind == Kind::comment) {
      add(' ');
    } else if (piece.kind == Kind::literal) {
      out += piece.text;
      gap = false;
    } else {
      for (const char c : piece.text) add(c);
    }
  }
  return out;
}

std::vector<std::string> placeholders_in(const std::string& source) {
  return placeholders(source_pieces(source));
}

std::optional<std::string> source_objection(const std::string& source, const std::string& original) {
  const Objections found = all_objections(source);
  if (found.empty()) return {};
  const Objections waived = all_objections(original);
  for (const std::string& one : found)
    if (std::find(waived.begin(), waived.end(), one) == waived.end()) return one;
  return {};
}

std::optional<std::string> binary_objection(const PluginBinary& binary, const std::string& entry,
                                            const std::vector<std::string>& waived) {
  if (!std::binary_search(binary.defined.begin(), binary.defined.end(), entry))
    return "defines no entry `" + entry + "` with the spec's signature and C linkage";
  std::set<std::string> calls, subjects;
  for (const std::string& needed : binary.undefined) {
    if (std::find(waived.begin(), waived.end(), needed) != waived.end()) continue;
    if (const std::string trait = trait_text(needed); !trait.empty()) return trait;
    const std::string subject = forbidden_subject(needed);
    if (subject.empty()) continue;
    calls.insert(needed);
    subjects.insert(subject);
  }
  if (!calls.empty())
    return "uses " + joined({calls.begin(), calls.end()}) + ": a kernel has no business with " +
           joined({subjects.begin(), subjects.end()});
  return {};
}

}  // namespace noctune
