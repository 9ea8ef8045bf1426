__constant__ double decay;
__constant__ double gain[4];

// Fields relax towards the gain of their zone. The zone is in the low bits of a packed word.
__global__ void relax_zones(int ncell, const unsigned *packed, const double *drive, double *field)
{
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < ncell; c += gridDim.x * blockDim.x) {
        const unsigned zone = packed[c] & 3u;
        field[c] = field[c] * decay + (1.0 - decay) * gain[zone] * drive[c];
    }
}

// cudaMemcpyToSymbol(decay, &h_decay, sizeof(double));
// cudaMemcpyToSymbol(gain, h_gain, 4 * sizeof(double));
// relax_zones<<<nsm * 8, 256>>>(ncell, packed, drive, field);
