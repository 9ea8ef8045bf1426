# cmake -DFILES="a;b" -DOUTPUT=x.cpp -P embed_runtime.cmake: the driver's runtime sources as string constants, so that
# the installed program needs no source tree.
set(text "// Made by embed_runtime.cmake; do not edit.\n#include \"mep/runtime_sources.hpp\"\n\nnamespace noctune {\n\n")
string(APPEND text "const std::map<std::string, std::string>& runtime_sources() {\n")
string(APPEND text "  static const std::map<std::string, std::string> sources = {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "      {\"${name}\", R\"noctune_source(${content})noctune_source\"},\n")
endforeach()
string(APPEND text "  };\n  return sources;\n}\n\n}  // namespace noctune\n")
file(WRITE ${OUTPUT} "${text}")
