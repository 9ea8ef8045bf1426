// Constants of the run, see parameters.cpp
extern double decay;
double gain[4];

// Fields relax towards the gain of their zone. The zone is in the low bits of a packed word.
void relax_zones(int ncell, const unsigned *packed, const double *drive, double *field)
{
#pragma omp parallel for
    for (int c = 0; c < ncell; ++c) {
        const unsigned zone = packed[c] & 3u;
        field[c] = field[c] * decay + (1.0 - decay) * gain[zone] * drive[c];
    }
}
