#include "app/command_docs.hpp"

#include <sstream>
#include <vector>

#include "app/command_line.hpp"
#include "base/text.hpp"

namespace noctune {
namespace {

using Words = std::vector<std::string>;

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands({});
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

// "-o", "--output"; nothing of what is named by its place.
Words switches(const CLI::Option& option) {
  Words out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

// What an option may be set to, where that is a list: CLI11 tells it as "TEXT:{wait,exit}".
Words choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto from = type.find('{'), to = type.find('}');
  if (from == std::string::npos || to == std::string::npos) return {};
  Words out;
  std::istringstream list(type.substr(from + 1, to - from - 1));
  for (std::string word; std::getline(list, word, ',');) out.push_back(word);
  return out;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// --- man page ---

std::string roff(const std::string& text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  return !out.empty() && (out[0] == '.' || out[0] == '\'') ? "\\&" + out : out;
}

// Lines that are set in stand as they are, the others flow; an empty line parts paragraphs.
std::string flowing(const std::string& text) {
  std::string out;
  bool literal = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool set_in = line.starts_with("  ");
    if (set_in != literal) out += set_in ? ".PP\n.nf\n" : ".fi\n";
    if (line.empty() || (literal && !set_in)) out += ".PP\n";
    if (!line.empty()) out += roff(line) + "\n";
    literal = set_in;
  }
  if (literal) out += ".fi\n";
  out = replaced(out, ".PP\n.PP\n", ".PP\n");
  if (out.ends_with(".PP\n")) out.resize(out.size() - 4);
  return out;
}

std::string usage_of(const CLI::App& command) {
  std::string out = ".B noctune " + command.get_name() + "\n";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const bool many = option->get_items_expected_max() > 1;
    const std::string name = roff(option->get_name(true)) + (many ? " ..." : "");
    out += (option->get_required() ? name : "[" + name + "]") + "\n";
  }
  return out + "[options]\n";
}

std::string option_entry(const CLI::Option& option) {
  Words bold;
  for (const std::string& name : switches(option)) bold.push_back("\\fB" + roff(name) + "\\fR");
  std::string head = joined(bold, ", ");
  if (option.get_positional()) head = "\\fI" + roff(option.get_name(true)) + "\\fR";
  const Words allowed = choices(option);
  if (!option.get_positional() && takes_value(option))
    head += allowed.empty() ? " \\fIvalue\\fR" : " " + roff(joined(allowed, "|"));
  return ".TP\n" + head + "\n" + roff(replaced(option.get_description(), "\n", " ")) + "\n";
}

std::string command_section(const CLI::App& command) {
  std::string out = ".SS " + command.get_name() + "\n" + usage_of(command) + ".PP\n" +
                    roff(command.get_description()) + ".\n";
  for (const CLI::Option* option : command.get_options())
    if (option != command.get_help_ptr()) out += option_entry(*option);
  std::string footer = command.get_footer();
  if (footer.ends_with(common_footer)) footer.resize(footer.size() - std::string(common_footer).size());
  return footer.empty() ? out : out + ".PP\n" + flowing(footer);
}

// --- completion ---

Words all_switches(const CLI::App& command) {
  Words out;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : switches(*option)) out.push_back(name);
  return out;
}

Words names_of(const std::vector<const CLI::App*>& commands) {
  Words out;
  for (const CLI::App* command : commands) out.push_back(command->get_name());
  return out;
}

std::string bash_case(const CLI::App& command) {
  std::string out =
      "    " + command.get_name() + ")\n      words=\"" + joined(all_switches(command), " ") + "\"\n";
  std::string values;
  for (const CLI::Option* option : command.get_options())
    if (const Words allowed = choices(*option); !allowed.empty())
      values +=
          "        " + joined(switches(*option), " | ") + ") values=\"" + joined(allowed, " ") + "\" ;;\n";
  if (!values.empty()) out += "      case $previous in\n" + values + "      esac\n";
  return out + "      ;;\n";
}

// Inside '...' of an argument to _arguments, where brackets and colons mean something.
std::string zsh_text(const std::string& text) {
  std::string out = replaced(text, "\n", " ");
  for (const char* special : {"\\", "[", "]", ":"}) out = replaced(out, special, std::string("\\") + special);
  return replaced(out, "'", "'\\''");
}

std::string zsh_case(const CLI::App& command) {
  std::string out = "    " + command.get_name() + ")\n      _arguments";
  for (const CLI::Option* option : command.get_options()) {
    const Words allowed = choices(*option);
    const std::string value = !takes_value(*option) ? ""
                              : allowed.empty()     ? ":value:_files"
                                                    : ":value:(" + joined(allowed, " ") + ")";
    for (const std::string& name : switches(*option))
      out += " \\\n        '*" + name + "[" + zsh_text(option->get_description()) + "]" + value + "'";
  }
  return out + " \\\n        '*:file:_files'\n      ;;\n";
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version, const std::string& date) {
  std::string out = ".\\\" Made from the command line's own description.\n.TH NOCTUNE 1 " + date +
                    " \"noctune " + version +
                    "\" \"User Commands\"\n.SH NAME\nnoctune \\- tune the hot kernels of HPC applications\n"
                    ".SH SYNOPSIS\n.B noctune\n.I command\n[arguments] [options]\n.SH DESCRIPTION\n" +
                    flowing(app.get_description()) + ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) out += command_section(*command);
  return out + ".SH OPTIONS\n" +
         [&] {
           std::string all;
           for (const CLI::Option* option : app.get_options()) all += option_entry(*option);
           return all;
         }() +
         ".SH NOTES\n" + flowing(common_footer) +
         ".PP\nThe guide and the reference of the campaign file are docs/guide.md and docs/campaign.md.\n";
}

std::string bash_completion(const CLI::App& app) {
  std::string out =
      "# bash completion for noctune, made from its command line's own description\n"
      "_noctune() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words='' values=''\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"" +
      joined(names_of(commands_of(app)), " ") + " " + joined(all_switches(app), " ") +
      "\" -- \"$current\")\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n";
  for (const CLI::App* command : commands_of(app)) out += bash_case(*command);
  return out +
         "  esac\n"
         "  if [ -n \"$values\" ]; then words=$values\n"
         "  elif [[ $current != -* ]]; then return; fi  # files, by -o default\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _noctune noctune\n";
}

std::string zsh_completion(const CLI::App& app) {
  std::string out =
      "#compdef noctune\n# Made from the command line's own description.\n"
      "_noctune() {\n  local -a commands=(\n";
  for (const CLI::App* command : commands_of(app))
    out += "    '" + command->get_name() + ":" + zsh_text(command->get_description()) + "'\n";
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n";
  for (const CLI::App* command : commands_of(app)) out += zsh_case(*command);
  return out + "  esac\n}\n_noctune \"$@\"\n";
}

}  // namespace noctune
