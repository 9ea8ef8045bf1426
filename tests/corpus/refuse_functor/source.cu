// The launcher that every loop of the code goes through; the loop bodies are lambdas of the callers.
struct Range2d {
  int fromX, fromY, toX, toY;
};

template <class Functor>
__global__ void for_each_cell(const Range2d range, Functor body) {
  const int i = range.fromX + blockIdx.x * blockDim.x + threadIdx.x;
  const int j = range.fromY + blockIdx.y * blockDim.y + threadIdx.y;
  if (i < range.toX && j < range.toY) body(i, j);
}
