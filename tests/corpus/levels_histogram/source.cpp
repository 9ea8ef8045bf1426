#define LEVELS 256

/* bins must be cleared by the caller: frames of one scene are added up */
void count_levels(unsigned char *pixels, int *bins, int npix)
{
#pragma omp parallel for
    for (int i = 0; i < npix; i++)
    {
#pragma omp atomic
        bins[pixels[i]] += 1;
    }
}
