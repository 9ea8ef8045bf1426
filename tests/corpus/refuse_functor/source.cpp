// The launcher that every loop of the code goes through; the loop bodies are lambdas of the callers.
template <class Functor>
void for_each_cell(Range2d range, Functor body) {
#pragma omp parallel for collapse(2)
  for (int j = range.fromY; j < range.toY; ++j)
    for (int i = range.fromX; i < range.toX; ++i) body(i, j);
}
