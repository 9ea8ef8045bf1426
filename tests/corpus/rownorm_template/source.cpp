#include <cmath>

template <typename Real>
void normalise_rows(const Real* data, Real* unit, Real* length, int rows, int cols, Real floor_value)
{
#pragma omp parallel for
    for (int r = 0; r < rows; ++r) {
        Real sum = 0;
        for (int c = 0; c < cols; ++c)
            sum += data[r * cols + c] * data[r * cols + c];
        const Real norm = std::sqrt(sum);
        length[r] = norm;
        const Real scale = Real(1) / (norm > floor_value ? norm : floor_value);
        for (int c = 0; c < cols; ++c)
            unit[r * cols + c] = data[r * cols + c] * scale;
    }
}
