// Flow through a channel between two walls, past whatever stands in it: what the device does. All pointers
// are the device's; kernels.cpp and kernels.cu hold the kernels.
#pragma once

struct Channel {
  int nx = 0, ny = 0;
  double omega = 1;           // of the relaxation: viscosity (1/omega - 1/2) / 3
  double drive = 0;           // momentum given to each cell of the inflow a step
  const int* kind = nullptr;  // 0 is wall
  double* f = nullptr;        // populations now, nine directions one after the other
  double* g = nullptr;        // room for those of the next step
};

// One time step: the inflow is driven, all populations stream and collide, f and g change places.
void advance(Channel& channel);

// Density and velocity of each cell; velocity is 0 in walls.
void moments(const Channel& channel, double* density, double* ux, double* uy);

// Sums over all cells in `parts` pieces each: of mass, then of the momentum along the channel.
constexpr int parts = 256;
void total(const Channel& channel, double* pieces);
