// Agreement of two annotators: x and y are their marks for one item. `total` collects over files.
void score_pairs(const int2 *marks, int count, int *total)
{
    int sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += marks[i].x == marks[i].y ? 4 : -(marks[i].x - marks[i].y) * (marks[i].x - marks[i].y);
    *total += sum;
}
