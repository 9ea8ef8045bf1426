#include "evaluator/profile/machine_code.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace noctune {
namespace {

// The instruction of a line such as
//   /*0070*/              @!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;
// with its suffixes: "LDG.E.128.CONSTANT"; empty for any other line.
std::string_view instruction_of(std::string_view line) {
  const std::size_t open = line.find("/*"), close = line.find("*/");
  if (open == std::string_view::npos || close == std::string_view::npos || line.find(';') == line.npos)
    return {};
  if (line.substr(0, open).find_first_not_of(" \t") != std::string_view::npos) return {};
  line.remove_prefix(close + 2);
  const auto skip_blanks = [&line] {
    const std::size_t start = line.find_first_not_of(" \t{");
    line.remove_prefix(start == std::string_view::npos ? line.size() : start);
  };
  skip_blanks();
  if (!line.empty() && line[0] == '@') {
    line.remove_prefix(std::min(line.find_first_of(" \t"), line.size()));
    skip_blanks();
  }
  return line.substr(0, line.find_first_of(" \t;"));
}

bool has_suffix(std::string_view instruction, std::string_view suffix) {
  for (std::size_t at = instruction.find('.'); at != std::string_view::npos;
       at = instruction.find('.', at + 1)) {
    const std::string_view rest = instruction.substr(at + 1);
    if (rest.substr(0, rest.find('.')) == suffix) return true;
  }
  return false;
}

// Bytes of a lane; four where no suffix says otherwise.
double lane_bytes(std::string_view instruction) {
  if (has_suffix(instruction, "128")) return 16;
  if (has_suffix(instruction, "64")) return 8;
  if (has_suffix(instruction, "U16") || has_suffix(instruction, "S16")) return 2;
  return has_suffix(instruction, "U8") || has_suffix(instruction, "S8") ? 1 : 4;
}

bool is_matrix(std::string_view name) {
  return name.ends_with("MMA") || name.ends_with("GMMA");  // HMMA, IMMA, DMMA, HGMMA, ...
}

}  // namespace

CodeCounts counts_from_sass(std::string_view listing) {
  double instructions = 0, barriers = 0, matrix = 0, swaps = 0, loads = 0, bytes = 0, narrow_bytes = 0;
  std::map<double, int> widths;
  while (!listing.empty()) {
    const std::size_t end = std::min(listing.find('\n'), listing.size());
    const std::string_view instruction = instruction_of(listing.substr(0, end));
    listing.remove_prefix(std::min(end + 1, listing.size()));
    if (instruction.empty()) continue;
    ++instructions;
    const std::string_view name = instruction.substr(0, instruction.find('.'));
    barriers += name == "BAR";
    matrix += is_matrix(name);
    swaps += (name == "ATOM" || name == "ATOMG" || name == "ATOMS") &&
             (has_suffix(instruction, "CAS") || has_suffix(instruction, "CAST"));
    if (name != "LDG") continue;
    const double width = lane_bytes(instruction);
    ++loads;
    ++widths[width];
    bytes += width;
    narrow_bytes += width <= 4 ? width : 0;
  }
  CodeCounts out;
  if (instructions == 0) return out;
  out.barriers = barriers;
  out.matrix_instructions = matrix;
  out.swap_loops = swaps;
  out.loads = loads;
  if (loads == 0) return out;
  out.narrow_load_share = narrow_bytes / bytes;
  int most = 0;
  for (const auto& [width, count] : widths) {
    if (count < most) continue;
    most = count;
    out.load_lane_bytes = width;
  }
  return out;
}

}  // namespace noctune
