// Meshes of hexahedra or quadrilaterals.
#include "mep/data/data_shape.hpp"
#include "mep/runtime/shapes.hpp"

namespace noctune {
namespace {

MeshShape read_mesh(DataFields& fields, bool hex) {
  constexpr long long most = 1 << 20;
  MeshShape shape;
  shape.nx = fields.whole("nx", 1, most);
  shape.ny = fields.has("ny") ? fields.whole("ny", 1, most) : shape.nx;
  shape.nz = !hex ? 0 : fields.has("nz") ? fields.whole("nz", 1, most) : shape.nx;
  shape.permuted = fields.is("numbering", "permuted");
  shape.jitter = fields.number("jitter");
  if (!hex && fields.has("nz")) fields.refuse("nz is given, but quadrilaterals are flat", "leave it out");
  if (!(shape.jitter >= 0 && shape.jitter < 0.25))
    fields.refuse("jitter lies outside 0 to 0.25, in units of an element's edge",
                  "beyond that elements could turn inside out");
  return shape;
}

}  // namespace

Result<DataShape> mesh_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  const bool hex = fields.is("element", "hex");
  const MeshShape shape = read_mesh(fields, hex);
  const double estimate = static_cast<double>(shape.nx + 1) * static_cast<double>(shape.ny + 1) *
                          static_cast<double>(shape.nz + 1);
  if (estimate > 0x1p38) fields.refuse("it has more than 2^38 nodes");
  if (fields.failed()) return fields.failure();
  const long long elements = shape.nx * shape.ny * (hex ? shape.nz : 1);
  const long long nodes = (shape.nx + 1) * (shape.ny + 1) * (hex ? shape.nz + 1 : 1);
  const long long corners = hex ? 8 : 4, faces = hex ? 6 : 4, dims = hex ? 3 : 2;
  DataShape out;
  out.plan.words = words_of(shape);
  out.parts = {{"nodes", whole_part(elements * corners, nodes - 1)},
               {"neighbours", whole_part(elements * faces, elements - 1, -1)},
               {"boundary", whole_part(nodes, 1)},
               {"x", real_part(nodes)},
               {"y", real_part(nodes)},
               {"z", real_part(hex ? nodes : 0)},
               {"xyz", real_part(nodes * dims)}};
  out.derived = {{"elements", static_cast<double>(elements)},
                 {"nodes", static_cast<double>(nodes)},
                 {"corners", static_cast<double>(corners)},
                 {"faces", static_cast<double>(faces)},
                 {"dims", static_cast<double>(dims)}};
  return out;
}

}  // namespace noctune
