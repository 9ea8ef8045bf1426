// The alloy on the host.
#include "alloy.hpp"

#include <cmath>

namespace {

float nearest(float d, float box) {
  return d - box * std::rint(d / box);
}

// Which cell a coordinate lies in, along one axis.
int cell_of(const Alloy& alloy, float coordinate) {
  const int cell = static_cast<int>(coordinate / alloy.box * alloy.cells);
  return cell < alloy.cells ? cell : alloy.cells - 1;
}

void fill_cells(const Alloy& alloy) {
  for (int cell = 0; cell < alloy.cells * alloy.cells * alloy.cells; ++cell) alloy.inhabitants[cell] = 0;
  for (int i = 0; i < alloy.n; ++i) {
    const float4 at = alloy.position[i];
    const int cell =
        (cell_of(alloy, at.z) * alloy.cells + cell_of(alloy, at.y)) * alloy.cells + cell_of(alloy, at.x);
    const int slot = alloy.inhabitants[cell]++;
    if (slot < alloy.room) alloy.inhabitant[cell * alloy.room + slot] = i;
  }
}

// Half a time step for the velocities.
void kick(const Alloy& alloy) {
  const float half = 0.5f * alloy.time_step;
#pragma omp parallel for
  for (int i = 0; i < alloy.n; ++i) {
    alloy.velocity[i].x += half * alloy.force[i].x;
    alloy.velocity[i].y += half * alloy.force[i].y;
    alloy.velocity[i].z += half * alloy.force[i].z;
  }
}

// A time step for the positions, which stay in the box.
void drift(const Alloy& alloy) {
  const auto moved = [&](float at, float velocity) {
    at += alloy.time_step * velocity;
    return at - alloy.box * std::floor(at / alloy.box);
  };
#pragma omp parallel for
  for (int i = 0; i < alloy.n; ++i) {
    alloy.position[i].x = moved(alloy.position[i].x, alloy.velocity[i].x);
    alloy.position[i].y = moved(alloy.position[i].y, alloy.velocity[i].y);
    alloy.position[i].z = moved(alloy.position[i].z, alloy.velocity[i].z);
  }
}

void eam_energy(int n, float box_x, float box_y, float box_z, float cutoff, int nr, float dr, int nrho,
                float drho, const float4* position, const int* count, const int* neighbours,
                const float4* density_spline, const float4* embedding_spline, float* energy,
                float* derivative) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float4 here = position[i];
    float rho = 0.0f;
    for (int k = 0; k < count[i]; ++k) {
      float4 there = position[neighbours[k * n + i]];
      float dx = here.x - there.x;
      float dy = here.y - there.y;
      float dz = here.z - there.z;
      dx -= box_x * std::rint(dx / box_x);
      dy -= box_y * std::rint(dy / box_y);
      dz -= box_z * std::rint(dz / box_z);
      float r = std::sqrt(dx * dx + dy * dy + dz * dz);
      if (r < cutoff) {
        float p = r / dr;
        int m = static_cast<int>(p);
        if (m > nr - 1) m = nr - 1;
        p -= m;
        float4 c = density_spline[static_cast<int>(there.w) * nr + m];
        rho += ((c.x * p + c.y) * p + c.z) * p + c.w;
      }
    }
    float p = rho / drho;
    int m = static_cast<int>(p);
    if (m > nrho - 1) m = nrho - 1;
    p -= m;
    float4 c = embedding_spline[static_cast<int>(here.w) * nrho + m];
    energy[i] = ((c.x * p + c.y) * p + c.z) * p + c.w;
    derivative[i] = ((3.0f * c.x * p + 2.0f * c.y) * p + c.z) / drho;
  }
}

// Value and slope of a spline at p intervals.
float value_of(float4 c, float p) {
  return ((c.x * p + c.y) * p + c.z) * p + c.w;
}
float slope_of(float4 c, float p) {
  return (3 * c.x * p + 2 * c.y) * p + c.z;
}

// Of pairs, and of the densities that atoms make for each other.
void add_up_forces(const Alloy& alloy) {
#pragma omp parallel for
  for (int i = 0; i < alloy.n; ++i) {
    const float4 here = alloy.position[i];
    float fx = 0, fy = 0, fz = 0, shared = 0;
    for (int k = 0; k < alloy.count[i]; ++k) {
      const int j = alloy.neighbours[k * alloy.n + i];
      const float4 there = alloy.position[j];
      const float dx = nearest(here.x - there.x, alloy.box), dy = nearest(here.y - there.y, alloy.box);
      const float dz = nearest(here.z - there.z, alloy.box);
      const float r = std::sqrt(dx * dx + dy * dy + dz * dz);
      if (r >= alloy.cutoff) continue;
      float p = r / alloy.pair.width;
      const int m = p < alloy.pair.intervals ? static_cast<int>(p) : alloy.pair.intervals - 1;
      p -= m;
      const float4 pair = alloy.pair.coefficients[m];
      const float4 of_here =
          alloy.density.coefficients[static_cast<int>(here.w) * alloy.density.intervals + m];
      const float4 of_there =
          alloy.density.coefficients[static_cast<int>(there.w) * alloy.density.intervals + m];
      const float slope = slope_of(pair, p) + alloy.derivative[i] * slope_of(of_there, p) +
                          alloy.derivative[j] * slope_of(of_here, p);
      const float pull = -slope / (alloy.pair.width * r);
      fx += pull * dx;
      fy += pull * dy;
      fz += pull * dz;
      shared += 0.5f * value_of(pair, p);
    }
    alloy.force[i] = {fx, fy, fz, shared};
  }
}

}  // namespace

void find_neighbours(const Alloy& alloy) {
  fill_cells(alloy);
  const int cells = alloy.cells;
#pragma omp parallel for
  for (int i = 0; i < alloy.n; ++i) {
    const float4 here = alloy.position[i];
    const int cx = cell_of(alloy, here.x), cy = cell_of(alloy, here.y), cz = cell_of(alloy, here.z);
    int found = 0;
    for (int step = 0; step < 27; ++step) {
      const int x = (cx + step % 3 - 1 + cells) % cells, y = (cy + step / 3 % 3 - 1 + cells) % cells;
      const int cell = ((cz + step / 9 - 1 + cells) % cells * cells + y) * cells + x;
      for (int slot = 0; slot < alloy.inhabitants[cell] && slot < alloy.room; ++slot) {
        const int j = alloy.inhabitant[cell * alloy.room + slot];
        const float4 there = alloy.position[j];
        const float dx = nearest(here.x - there.x, alloy.box), dy = nearest(here.y - there.y, alloy.box);
        const float dz = nearest(here.z - there.z, alloy.box);
        const bool near = dx * dx + dy * dy + dz * dz < alloy.reach * alloy.reach;
        if (j != i && near && found < alloy.most) alloy.neighbours[alloy.n * found++ + i] = j;
      }
    }
    alloy.count[i] = found;
  }
}

void find_forces(const Alloy& alloy) {
  eam_energy(alloy.n, alloy.box, alloy.box, alloy.box, alloy.cutoff, alloy.density.intervals,
             alloy.density.width, alloy.embedding.intervals, alloy.embedding.width, alloy.position,
             alloy.count, alloy.neighbours, alloy.density.coefficients, alloy.embedding.coefficients,
             alloy.energy, alloy.derivative);
  add_up_forces(alloy);
}

void advance(const Alloy& alloy) {
  kick(alloy);
  drift(alloy);
  find_forces(alloy);
  kick(alloy);
}

void total(const Alloy& alloy, double* pieces) {
#pragma omp parallel for
  for (int part = 0; part < parts; ++part) {
    const long n = alloy.n;
    double kinetic = 0, bound = 0;
    for (long i = n * part / parts; i < n * (part + 1) / parts; ++i) {
      const float4 v = alloy.velocity[i];
      kinetic += 0.5 * (v.x * v.x + v.y * v.y + v.z * v.z);
      bound += alloy.energy[i] + alloy.force[i].w;
    }
    pieces[part] = kinetic;
    pieces[parts + part] = bound;
  }
}
