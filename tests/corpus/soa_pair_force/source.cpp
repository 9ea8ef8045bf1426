// Lennard-Jones forces on a full neighbour list. MD_FLOAT comes from the build (-DMD_FLOAT=...).
typedef struct {
  MD_FLOAT *x, *y, *z;
  MD_FLOAT *fx, *fy, *fz;
  int Nlocal;
} Atom;

/* In the time loop:
 *   buildNeighbor(&atom, &neighbor);   // numneigh[i] entries at neighbors[i * maxneighs], never i itself
 *   computeForce(atom, neighbor.neighbors, neighbor.numneigh, neighbor.maxneighs, cut * cut, sigma6,
 * epsilon);
 */
void computeForce(Atom atom, int* neighbors, int* numneigh, int maxneighs, MD_FLOAT cutforcesq,
                  MD_FLOAT sigma6, MD_FLOAT epsilon) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < atom.Nlocal; i++) {
    int* neighs = &neighbors[i * maxneighs];
    MD_FLOAT xtmp = atom.x[i], ytmp = atom.y[i], ztmp = atom.z[i];
    MD_FLOAT fix = 0, fiy = 0, fiz = 0;
    for (int k = 0; k < numneigh[i]; k++) {
      int j = neighs[k];
      MD_FLOAT delx = xtmp - atom.x[j];
      MD_FLOAT dely = ytmp - atom.y[j];
      MD_FLOAT delz = ztmp - atom.z[j];
      MD_FLOAT rsq = delx * delx + dely * dely + delz * delz;
      if (rsq < cutforcesq) {
        MD_FLOAT sr2 = 1.0 / rsq;
        MD_FLOAT sr6 = sr2 * sr2 * sr2 * sigma6;
        MD_FLOAT force = 48.0 * sr6 * (sr6 - 0.5) * sr2 * epsilon;
        fix += delx * force;
        fiy += dely * force;
        fiz += delz * force;
      }
    }
    atom.fx[i] = fix;
    atom.fy[i] = fiy;
    atom.fz[i] = fiz;
  }
}
