/* Causal filter with a window known at compile time. The signal carries TAPS - 1 samples more than the output. */
template <typename T, int TAPS>
void fir(const T* __restrict__ signal, const T* __restrict__ window, T* __restrict__ filtered, int nout)
{
    #pragma omp parallel for
    for (int i = 0; i < nout; ++i) {
        T acc = T(0);
        #pragma GCC unroll 8
        for (int k = 0; k < TAPS; ++k)
            acc += window[k] * signal[i + k];
        filtered[i] = acc;
    }
}
// in the pipeline: fir<float, 24>(raw, hamming, clean, nsamples - 23);
