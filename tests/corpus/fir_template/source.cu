/* Causal filter with a window known at compile time. The signal carries TAPS - 1 samples more than the output. */
template <typename T, int TAPS>
__global__ void fir(const T* __restrict__ signal, const T* __restrict__ window, T* __restrict__ filtered, int nout)
{
    __shared__ T w[TAPS];
    if (threadIdx.x < TAPS) w[threadIdx.x] = window[threadIdx.x];
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nout) {
        T acc = T(0);
        #pragma unroll
        for (int k = 0; k < TAPS; ++k)
            acc += w[k] * signal[i + k];
        filtered[i] = acc;
    }
}
// in the pipeline: fir<float, 24><<<(nout + 127) / 128, 128>>>(raw, hamming, clean, nout);
