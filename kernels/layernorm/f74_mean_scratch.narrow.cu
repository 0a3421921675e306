// The kernel of f74_mean_scratch.published, for blocks of one thread.
#include "f74_mean_scratch.published.cu"
