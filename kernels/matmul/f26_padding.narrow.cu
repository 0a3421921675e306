// The kernel of f26_padding.published, for depths that are a multiple of 16.
#include "f26_padding.published.cu"
