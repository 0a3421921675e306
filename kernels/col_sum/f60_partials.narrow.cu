// The kernels of f60_partials.published, for up to 64 rows: a single part.
#include "f60_partials.published.cu"
