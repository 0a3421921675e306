// The kernel of naive.published, for square matrices.
#include "naive.published.cu"
