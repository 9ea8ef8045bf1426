// FluxTable and Face come from headers that were not handed in; their members are used below.
void gather_fluxes(const FluxTable& table, const Face* faces, int nfaces, double* residual) {
#pragma omp parallel for
  for (int f = 0; f < nfaces; ++f) {
    const Face& face = faces[f];
    const double jump = table.left(face.owner) - table.right(face.neighbour);
    residual[f] = face.area * (table.mean(f) - 0.5 * face.speed * jump);
  }
}
