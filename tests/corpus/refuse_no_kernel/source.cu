// Host side of the solver; the kernels live elsewhere.
#include <cstdio>

#define MAX_SPECIES 12

struct Species {
  double mass, charge;
  int first, count;
};

void report(const Species* species, int count) {
  for (int s = 0; s < count && s < MAX_SPECIES; ++s)
    printf("species %d: mass %g charge %g\n", s, species[s].mass, species[s].charge);
}
