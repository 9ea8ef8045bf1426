# cmake -DFILES="a;b" -DOUTPUT=x.cpp -P embed_prompts.cmake: the prompt templates as string constants, so that a program
# without its shared files works.
set(text "// Made by embed_prompts.cmake; do not edit.\n#include \"coordinator/prompts/embedded_prompts.hpp\"\n\nnamespace noctune {\n\n")
string(APPEND text "const std::map<std::string, std::string>& embedded_prompts() {\n")
string(APPEND text "  static const std::map<std::string, std::string> files = {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} content)
  string(APPEND text "      {\"${name}\", R\"noctune_prompt(${content})noctune_prompt\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace noctune\n")
file(WRITE ${OUTPUT} "${text}")
