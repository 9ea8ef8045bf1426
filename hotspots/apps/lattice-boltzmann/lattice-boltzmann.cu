// One step of a lattice Boltzmann fluid on the D2Q9 lattice with single relaxation time (BGK), pull scheme:
//   g_k(x) = f_k(x - c_k) + omega (feq_k - f_k(x - c_k)),
//   feq_k = w_k rho (1 + 3 c_k.u + 9/2 (c_k.u)^2 - 3/2 u.u),  rho = sum f_k,  rho u = sum f_k c_k,
// periodic in both directions. Where kind is 0 there is a wall, which turns what arrives around.
// Directions: 0 rest; 1 east, 2 north, 3 west, 4 south; 5 north-east, 6 north-west, 7 south-west, 8 the last.
// f and g hold one direction after the other, each ny rows of nx cells.
__global__ void stream_and_collide(int nx, int ny, double omega, const int* kind, const double* f,
                                   double* g) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny) {
    int n = nx * ny;
    int cell = y * nx + x;
    int west = (x + nx - 1) % nx;
    int east = (x + 1) % nx;
    int south = (y + ny - 1) % ny;
    int north = (y + 1) % ny;
    double f0 = f[0 * n + y * nx + x];
    double f1 = f[1 * n + y * nx + west];
    double f2 = f[2 * n + south * nx + x];
    double f3 = f[3 * n + y * nx + east];
    double f4 = f[4 * n + north * nx + x];
    double f5 = f[5 * n + south * nx + west];
    double f6 = f[6 * n + south * nx + east];
    double f7 = f[7 * n + north * nx + east];
    double f8 = f[8 * n + north * nx + west];
    if (kind[cell] == 0) {
      g[0 * n + cell] = f0;
      g[1 * n + cell] = f3;
      g[2 * n + cell] = f4;
      g[3 * n + cell] = f1;
      g[4 * n + cell] = f2;
      g[5 * n + cell] = f7;
      g[6 * n + cell] = f8;
      g[7 * n + cell] = f5;
      g[8 * n + cell] = f6;
    } else {
      double rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
      double ux = (f1 + f5 + f8 - f3 - f6 - f7) / rho;
      double uy = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
      double uu = 1.5 * (ux * ux + uy * uy);
      double ne = ux + uy;
      double nw = uy - ux;
      g[0 * n + cell] = f0 + omega * (4.0 / 9.0 * rho * (1.0 - uu) - f0);
      g[1 * n + cell] = f1 + omega * (1.0 / 9.0 * rho * (1.0 + 3.0 * ux + 4.5 * ux * ux - uu) - f1);
      g[2 * n + cell] = f2 + omega * (1.0 / 9.0 * rho * (1.0 + 3.0 * uy + 4.5 * uy * uy - uu) - f2);
      g[3 * n + cell] = f3 + omega * (1.0 / 9.0 * rho * (1.0 - 3.0 * ux + 4.5 * ux * ux - uu) - f3);
      g[4 * n + cell] = f4 + omega * (1.0 / 9.0 * rho * (1.0 - 3.0 * uy + 4.5 * uy * uy - uu) - f4);
      g[5 * n + cell] = f5 + omega * (1.0 / 36.0 * rho * (1.0 + 3.0 * ne + 4.5 * ne * ne - uu) - f5);
      g[6 * n + cell] = f6 + omega * (1.0 / 36.0 * rho * (1.0 + 3.0 * nw + 4.5 * nw * nw - uu) - f6);
      g[7 * n + cell] = f7 + omega * (1.0 / 36.0 * rho * (1.0 - 3.0 * ne + 4.5 * ne * ne - uu) - f7);
      g[8 * n + cell] = f8 + omega * (1.0 / 36.0 * rho * (1.0 - 3.0 * nw + 4.5 * nw * nw - uu) - f8);
    }
  }
}

extern "C" void lattice_boltzmann(int nx, int ny, double omega, const int* kind, const double* f, double* g,
                                  mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  stream_and_collide<<<grid, block, 0, stream>>>(nx, ny, omega, kind, f, g);
}
