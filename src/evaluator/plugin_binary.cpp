#include "evaluator/plugin_binary.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "evaluator/system_names.hpp"

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

// Code of host and device, constants, initial data, and the relocations that say what they refer to.
bool decides_behaviour(const std::string& section) {
  for (const char* start :
       {".text", ".rodata", ".data", ".rela", ".init_array", ".tdata", ".nv_fatbin", ".hip_fatbin"})
    if (section.rfind(start, 0) == 0) return true;
  return false;
}

// What a plugin asks of the process that loads it, beside symbols. `own` and `library` carry a name.
constexpr const char* executable_stack = "[executable stack]";
constexpr const char* writable_code = "[writable code]";
constexpr const char* immense_memory = "[immense static memory]";
// Where the kernel lets address space be promised without end, a plugin of such a size loads, and whoever
// allocates next in its process fails.
constexpr std::uint64_t immense_bytes = std::uint64_t{4} << 30U;
constexpr const char* indirect = "[indirect functions]";
constexpr const char* early_code = "[code before loading ends]";
constexpr std::string_view own = "[own ", library = "[library ";

std::string trait(std::string_view start, const std::string& name) {
  return std::string(start) + name + "]";
}

void read_symbols(const Image& image, const Elf64_Shdr& table, std::string_view names, PluginBinary& out) {
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = image.at<Elf64_Sym>(table.sh_offset + at);
    if (!symbol || symbol->st_name == 0) continue;
    const std::string name = image.text(names, symbol->st_name);
    const bool defined = symbol->st_shndx != SHN_UNDEF;
    (defined ? out.defined : out.undefined).push_back(name);
    if (defined && ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) out.undefined.emplace_back(indirect);
    if (defined && belongs_to_system(name)) out.undefined.push_back(trait(own, name));
  }
}

void read_segments(const Image& image, const Elf64_Ehdr& header, PluginBinary& out) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = image.at<Elf64_Phdr>(header.e_phoff + std::size_t{i} * header.e_phentsize);
    if (!segment) return;
    if (segment->p_type == PT_GNU_STACK && (segment->p_flags & PF_X))
      out.undefined.emplace_back(executable_stack);
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) && (segment->p_flags & PF_X))
      out.undefined.emplace_back(writable_code);
    if (segment->p_type == PT_LOAD && segment->p_memsz > immense_bytes)
      out.undefined.emplace_back(immense_memory);
  }
}

void read_dynamic(const Image& image, const Elf64_Shdr& table, std::string_view names, PluginBinary& out) {
  for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= table.sh_size; at += sizeof(Elf64_Dyn)) {
    const auto entry = image.at<Elf64_Dyn>(table.sh_offset + at);
    if (!entry || entry->d_tag == DT_NULL) return;
    if (entry->d_tag == DT_TEXTREL) out.undefined.emplace_back(writable_code);
    if (entry->d_tag == DT_PREINIT_ARRAY) out.undefined.emplace_back(early_code);
    if (entry->d_tag != DT_NEEDED) continue;
    const std::string name = image.text(names, entry->d_un.d_val);
    if (!is_runtime_library(name)) out.undefined.push_back(trait(library, name));
  }
}

void read_relocations(const Image& image, const Elf64_Shdr& table, PluginBinary& out) {
  constexpr std::uint64_t x86_64 = 37, aarch64 = 1032;  // R_X86_64_IRELATIVE, R_AARCH64_IRELATIVE
  for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= table.sh_size; at += sizeof(Elf64_Rela)) {
    const auto entry = image.at<Elf64_Rela>(table.sh_offset + at);
    if (!entry) return;
    const std::uint64_t type = ELF64_R_TYPE(entry->r_info);
    if (type == x86_64 || type == aarch64) out.undefined.emplace_back(indirect);
  }
}

Result<void> read_tables(const Image& image, const std::vector<Elf64_Shdr>& sections, PluginBinary& out) {
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_RELA) read_relocations(image, section, out);
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_DYNAMIC) continue;
    if (section.sh_link >= sections.size()) continue;
    const auto names = image.range(sections[section.sh_link].sh_offset, sections[section.sh_link].sh_size);
    if (!names) return fail("its tables", "have no names");
    if (section.sh_type == SHT_DYNSYM)
      read_symbols(image, section, *names, out);
    else
      read_dynamic(image, section, *names, out);
  }
  return {};
}

void sort_once(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
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
  if (!read_tables(image, sections, out)) return fail(path.string(), "has a broken symbol table");
  read_segments(image, *header, out);
  std::string code;
  for (const Elf64_Shdr& section : sections) {
    const std::string name = image.text(*section_names, section.sh_name);
    if (!decides_behaviour(name)) continue;
    const auto content = image.range(section.sh_offset, section.sh_size);
    if (content) code += name + std::string(*content);
  }
  sort_once(out.defined);
  sort_once(out.undefined);
  for (const std::string& name : out.undefined) code += name + "\n";  // which function a call goes to
  out.code_sha = sha256(code);
  return out;
}

std::string trait_text(const std::string& needed) {
  if (needed.rfind('[', 0) != 0) return {};
  if (needed == executable_stack) return "asks for an executable stack";
  if (needed == writable_code) return "has memory that is writable and executable";
  if (needed == immense_memory) return "declares more than 4 GiB of static memory";
  if (needed == indirect) return "has functions that are chosen while it is loaded (IFUNC, target_clones)";
  if (needed == early_code) return "has code run while it is loaded (.preinit_array)";
  const auto name = [&](std::string_view start) {
    return needed.substr(start.size(), needed.size() - start.size() - 1);
  };
  if (needed.rfind(own, 0) == 0) return "defines " + name(own) + ", which belongs to the system's libraries";
  return "needs the library " + name(library) + ", which the original does not need";
}

}  // namespace noctune
