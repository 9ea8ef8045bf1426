template <typename Real>
__global__ void normalise_rows(const Real* data, Real* unit, Real* length, int rows, int cols, Real floor_value)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;

    Real sum = 0;
    for (int c = 0; c < cols; ++c)
        sum += data[r * cols + c] * data[r * cols + c];
    const Real norm = sqrt(sum);
    length[r] = norm;
    const Real scale = Real(1) / (norm > floor_value ? norm : floor_value);
    for (int c = 0; c < cols; ++c)
        unit[r * cols + c] = data[r * cols + c] * scale;
}
