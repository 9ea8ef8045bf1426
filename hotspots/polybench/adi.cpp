// Heat conduction on an n x n grid by alternating directions (Peaceman and Rachford); outside the grid all is
// 0. With D w = 2 w - both neighbours and r = dt / (2 h^2), a step solves along i, then along j:
//   (1 + r D_i) v = (1 - r D_j) u,    (1 + r D_j) u = (1 - r D_i) v.
// Each line is a tridiagonal system: elimination leaves v_i = p_i v_(i+1) + q_i, then it is solved backwards.
static void along_i(int n, float r, const float* u, float* v, float* p, float* q) {
#pragma omp parallel for
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const float left = j > 0 ? u[i * n + j - 1] : 0.0f;
      const float right = j < n - 1 ? u[i * n + j + 1] : 0.0f;
      const float rhs = u[i * n + j] - r * (2.0f * u[i * n + j] - left - right);
      const float last_p = i > 0 ? p[(i - 1) * n + j] : 0.0f;
      const float last_q = i > 0 ? q[(i - 1) * n + j] : 0.0f;
      p[i * n + j] = r / (1.0f + 2.0f * r - r * last_p);
      q[i * n + j] = (rhs + r * last_q) / (1.0f + 2.0f * r - r * last_p);
    }
    v[(n - 1) * n + j] = q[(n - 1) * n + j];
    for (int i = n - 2; i >= 0; --i) {
      v[i * n + j] = p[i * n + j] * v[(i + 1) * n + j] + q[i * n + j];
    }
  }
}

static void along_j(int n, float r, const float* v, float* u, float* p, float* q) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const float above = i > 0 ? v[(i - 1) * n + j] : 0.0f;
      const float below = i < n - 1 ? v[(i + 1) * n + j] : 0.0f;
      const float rhs = v[i * n + j] - r * (2.0f * v[i * n + j] - above - below);
      const float last_p = j > 0 ? p[i * n + j - 1] : 0.0f;
      const float last_q = j > 0 ? q[i * n + j - 1] : 0.0f;
      p[i * n + j] = r / (1.0f + 2.0f * r - r * last_p);
      q[i * n + j] = (rhs + r * last_q) / (1.0f + 2.0f * r - r * last_p);
    }
    u[i * n + n - 1] = q[i * n + n - 1];
    for (int j = n - 2; j >= 0; --j) {
      u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
    }
  }
}

extern "C" void adi(int steps, int n, float r, float* u, float* v, float* p, float* q) {
  for (int t = 0; t < steps; ++t) {
    along_i(n, r, u, v, p, q);
    along_j(n, r, v, u, p, q);
  }
}
