// The kernels and launcher of published, for a single input.
#include "published.cu"
