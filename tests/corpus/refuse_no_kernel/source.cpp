// Types of the solver; the kernels live elsewhere.
#define MAX_SPECIES 12

typedef double real;

struct Species {
  real mass, charge;
  int first, count;
};

enum Boundary { periodic, reflecting, absorbing };

extern real total_energy(const Species* species, int count);
