#include "evaluator/plugin_binary.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/digest.hpp"
#include "base/files.hpp"

namespace noctune {
namespace {

// Bounds-checked access to the file's bytes: a plugin is untrusted input.
class Image {
 public:
  explicit Image(std::string bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  std::optional<T> at(std::size_t offset) const {
    if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return {};
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::optional<std::string_view> range(std::size_t offset, std::size_t length) const {
    if (offset > bytes_.size() || length > bytes_.size() - offset) return {};
    return std::string_view(bytes_).substr(offset, length);
  }
  std::string text(std::string_view table, std::size_t offset) const {
    if (offset >= table.size()) return {};
    table.remove_prefix(offset);
    return std::string(table.substr(0, table.find('\0')));
  }

 private:
  std::string bytes_;
};

std::vector<Elf64_Shdr> sections_of(const Image& image, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> sections;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = image.at<Elf64_Shdr>(header.e_shoff + std::size_t{i} * header.e_shentsize);
    if (!section) return {};
    sections.push_back(*section);
  }
  return sections;
}

// Code, constants, initial data, and the relocations that say what they refer to.
bool decides_behaviour(const std::string& section) {
  for (const char* start : {".text", ".rodata", ".data", ".rela", ".init_array", ".tdata"})
    if (section.rfind(start, 0) == 0) return true;
  return false;
}

void read_symbols(const Image& image, const Elf64_Shdr& table, std::string_view names, PluginBinary& out) {
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = image.at<Elf64_Sym>(table.sh_offset + at);
    if (!symbol || symbol->st_name == 0) continue;
    const std::string name = image.text(names, symbol->st_name);
    (symbol->st_shndx != SHN_UNDEF ? out.defined : out.undefined).push_back(name);
  }
}

}  // namespace

Result<PluginBinary> read_plugin_binary(const std::filesystem::path& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes) return Failure(bytes.error());
  const Image image(std::move(*bytes));
  const auto header = image.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return fail(path.string(), "is not a 64-bit ELF shared object");
  const std::vector<Elf64_Shdr> sections = sections_of(image, *header);
  if (header->e_shstrndx >= sections.size()) return fail(path.string(), "has a broken section table");
  const auto section_names =
      image.range(sections[header->e_shstrndx].sh_offset, sections[header->e_shstrndx].sh_size);
  if (!section_names) return fail(path.string(), "has a broken section table");
  PluginBinary out;
  std::string code;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_DYNSYM && section.sh_link < sections.size()) {
      const auto names = image.range(sections[section.sh_link].sh_offset, sections[section.sh_link].sh_size);
      if (!names) return fail(path.string(), "has a broken symbol table");
      read_symbols(image, section, *names, out);
    }
    const std::string name = image.text(*section_names, section.sh_name);
    if (!decides_behaviour(name)) continue;
    const auto content = image.range(section.sh_offset, section.sh_size);
    if (content) code += name + std::string(*content);
  }
  std::sort(out.defined.begin(), out.defined.end());
  std::sort(out.undefined.begin(), out.undefined.end());
  for (const std::string& name : out.undefined) code += name + "\n";  // which function a call goes to
  out.code_sha = sha256(code);
  return out;
}

}  // namespace noctune
