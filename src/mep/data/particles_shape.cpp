// Particles on a lattice, and the neighbour and cell lists of such a set.
#include <algorithm>
#include <cmath>

#include "mep/data/data_shape.hpp"
#include "mep/runtime/lattice.hpp"

namespace noctune {
namespace {

// Cells per edge of the smallest cube that holds n particles.
std::int64_t cells_for(std::int64_t n, std::int64_t sites) {
  std::int64_t cells = 1;
  while (cells * cells * cells * sites < n) ++cells;
  return cells;
}

void read_cells(DataFields& fields, LatticeShape& shape) {
  constexpr long long most = 4096;
  if (fields.has("cells") == fields.has("n"))
    return fields.refuse("give either cells, the cells along an edge, or n, the number of particles");
  if (fields.has("n")) {
    shape.n = fields.whole("n", 1, 1LL << 36);
    shape.cells_x = shape.cells_y = shape.cells_z = cells_for(shape.n, shape.sites);
    return;
  }
  shape.cells_x = fields.whole("cells", 1, most);
  shape.cells_y = fields.has("cells_y") ? fields.whole("cells_y", 1, most) : shape.cells_x;
  shape.cells_z = fields.has("cells_z") ? fields.whole("cells_z", 1, most) : shape.cells_x;
  shape.n = shape.cells_x * shape.cells_y * shape.cells_z * shape.sites;
}

LatticeShape read_lattice(DataFields& fields) {
  LatticeShape shape;
  shape.sites = fields.is("lattice", "fcc") ? 4 : fields.is("lattice", "bcc") ? 2 : 1;
  read_cells(fields, shape);
  shape.types = fields.whole("types", 1, 1 << 20);
  shape.first_type = fields.whole("first_type", 0, 1 << 20);
  shape.packing = fields.is("pack", "xyz+type")     ? Packing::type
                  : fields.is("pack", "xyz+charge") ? Packing::charge
                  : fields.is("pack", "xyz+mass")   ? Packing::mass
                                                    : Packing::xyz;
  shape.a = fields.number("a");
  shape.jitter = fields.number("jitter");
  if (!(shape.a > 0)) fields.refuse("a, the edge of a cell, must be above 0");
  const double most = shape.sites == 1 ? 0.49 : 0.24;
  if (!(shape.jitter >= 0 && shape.jitter <= most))
    fields.refuse(
        "jitter lies outside 0 to " + std::to_string(most).substr(0, 4) + ", in units of the cell's edge",
        "beyond that particles would leave their cells");
  return shape;
}

// Half edges, squared, that a distance covers.
std::int64_t squared(double distance, double a) {
  const double halves = 2 * distance / a;
  return static_cast<std::int64_t>(std::min(halves * halves, 0x1p40));
}

// Whether some particles stand just so far from one another.
bool is_shell(const LatticeShape& lattice, std::int64_t squared) {
  for (std::int64_t x = 0; x * x <= squared; ++x)
    for (std::int64_t y = 0; x * x + y * y <= squared; ++y)
      for (std::int64_t z = 0; x * x + y * y + z * z <= squared; ++z) {
        const bool even = x % 2 == 0 && y % 2 == 0 && z % 2 == 0, odd = x * y * z % 2 == 1;
        const bool fcc = (x + y + z) % 2 == 0;
        const bool site = lattice.sites == 4 ? fcc : lattice.sites == 2 ? even || odd : even;
        if (site && x * x + y * y + z * z == squared) return true;
      }
  return false;
}

// The nearest distance beyond `squared` at which some particles stand.
std::int64_t next_shell(const LatticeShape& lattice, std::int64_t squared) {
  do {
    ++squared;
  } while (!is_shell(lattice, squared));
  return squared;
}

// Two particles may come nearer than the lattice has them by twice a jitter along a diagonal.
double slack_of(const LatticeShape& lattice) {
  return 2 * std::sqrt(3.0) * lattice.jitter * lattice.a * (1 + 1e-6);
}

struct Reach {
  double cutoff = 0, skin = 0;
};

Reach read_reach(DataFields& fields, const LatticeShape& lattice, NeighbourShape& shape) {
  Reach reach;
  reach.cutoff = fields.number("cutoff");
  const double slack = slack_of(lattice);
  if (!(reach.cutoff > 0)) fields.refuse("cutoff must be above 0");
  if (!(reach.cutoff + slack <= 5 * lattice.a))
    fields.refuse("a cutoff of " + std::to_string(reach.cutoff) + " is more than five cells of the lattice",
                  "cutoff and a, the edge of a cell (1 if not given), have the same unit");
  if (fields.failed()) return reach;
  shape.certain = squared(reach.cutoff + slack, lattice.a);
  if (fields.has("skin")) {
    reach.skin = fields.number("skin");
    if (!(reach.skin >= 2 * slack && reach.skin <= 2 * lattice.a + 2 * slack))
      fields.refuse("skin = " + std::to_string(reach.skin) + " lies outside " + std::to_string(2 * slack) +
                        " to " + std::to_string(2 * lattice.a + 2 * slack),
                    "it must make up for the jitter; leave it out to have the least that serves");
    shape.farthest = std::max(shape.certain, squared(reach.cutoff + reach.skin - slack, lattice.a));
    return reach;
  }
  shape.farthest =
      std::max(squared(1.1 * reach.cutoff + slack, lattice.a), next_shell(lattice, shape.certain));
  const double farthest = std::sqrt(static_cast<double>(shape.farthest)) * lattice.a / 2;
  reach.skin = farthest + slack - reach.cutoff;
  return reach;
}

// Whole cells of the lattice, so that no jitter takes a particle over an edge: the most cells that are at
// least as wide as the lists reach.
std::int64_t cells_along(std::int64_t cells, double a, double reach) {
  std::int64_t best = 1;
  for (std::int64_t parts = 1; parts <= cells; ++parts)
    if (cells % parts == 0 && static_cast<double>(cells / parts) * a >= reach) best = parts;
  return best;
}

void check_box(DataFields& fields, const NeighbourShape& shape) {
  const LatticeShape& l = shape.lattice;
  if (l.n != l.cells_x * l.cells_y * l.cells_z * l.sites)
    return fields.refuse("neighbours need a full lattice, but the particles are given by n",
                         "give the particles' cells, and use their count where n is wanted");
  std::int64_t reach = 0;
  while ((reach + 1) * (reach + 1) <= shape.farthest) ++reach;
  const std::int64_t least = std::min({l.cells_x, l.cells_y, l.cells_z});
  if (least <= reach)
    fields.refuse("the box has " + std::to_string(least) +
                      " cells along an edge, but with this cutoff lists "
                      "reach over half of it",
                  "at least " + std::to_string(reach + 1) + " cells are needed: set that as the size's min");
}

void add_parts(const NeighbourShape& shape, long long entries, DataShape& out) {
  const long long n = shape.lattice.n, padded = n * shape.most;
  const long long cells = shape.cells_x * shape.cells_y * shape.cells_z;
  out.parts = {{"rows", whole_part(padded, n - 1)},          {"columns", whole_part(padded, n - 1)},
               {"count", whole_part(n, shape.most)},         {"offsets", whole_part(n + 1, entries)},
               {"list", whole_part(entries, n - 1)},         {"cell_of", whole_part(n, cells - 1)},
               {"cell_count", whole_part(cells, n / cells)}, {"cells", whole_part(n, n - 1)},
               {"head", whole_part(cells, n - 1)},           {"next", whole_part(n, n - 1, -1)}};
}

}  // namespace

Result<DataShape> particles_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  const LatticeShape shape = read_lattice(fields);
  if (fields.failed()) return fields.failure();
  const long long n = shape.n, lanes = shape.packing == Packing::xyz ? 3 : 4;
  DataShape out;
  out.plan.words = words_of(shape);
  for (const char* part : {"x", "y", "z", "charge", "mass"}) out.parts[part] = real_part(n);
  out.parts["xyz"] = real_part(3 * n);
  out.parts["pack"] = real_part(lanes * n);
  out.parts["type"] = whole_part(n, shape.first_type + shape.types - 1);
  out.derived = {{"n", static_cast<double>(n)},
                 {"lanes", static_cast<double>(lanes)},
                 {"box", static_cast<double>(shape.cells_x) * shape.a},
                 {"box_y", static_cast<double>(shape.cells_y) * shape.a},
                 {"box_z", static_cast<double>(shape.cells_z) * shape.a}};
  return out;
}

Result<DataShape> neighbours_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  NeighbourShape shape;
  for (std::size_t i = 0; i < input.earlier.size(); ++i)
    if (input.spec.data[i].name == fields.word("of"))
      shape.lattice = shape_of<LatticeShape>(input.earlier[i].plan.words);
  shape.half = fields.is("list", "half");
  const Reach reach = read_reach(fields, shape.lattice, shape);
  if (!fields.failed()) check_box(fields, shape);
  if (fields.failed()) return fields.failure();
  const NeighbourTable table(shape, input.structure_key());
  shape.most = static_cast<std::int64_t>(table.most());
  const double all = reach.cutoff + reach.skin;
  shape.cells_x = cells_along(shape.lattice.cells_x, shape.lattice.a, all);
  shape.cells_y = cells_along(shape.lattice.cells_y, shape.lattice.a, all);
  shape.cells_z = cells_along(shape.lattice.cells_z, shape.lattice.a, all);
  const std::int64_t cells = shape.cells_x * shape.cells_y * shape.cells_z;
  const auto entries = static_cast<long long>(table.entries());
  DataShape out;
  out.plan.words = words_of(shape);
  add_parts(shape, entries, out);
  out.derived = {{"max", static_cast<double>(shape.most)},
                 {"n", static_cast<double>(entries)},
                 {"skin", reach.skin},
                 {"reach", all},
                 {"cells", static_cast<double>(cells)},
                 {"cells_x", static_cast<double>(shape.cells_x)},
                 {"cells_y", static_cast<double>(shape.cells_y)},
                 {"cells_z", static_cast<double>(shape.cells_z)},
                 {"per_cell", static_cast<double>(shape.lattice.n / cells)}};
  return out;
}

}  // namespace noctune
