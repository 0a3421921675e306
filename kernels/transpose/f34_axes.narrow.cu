// The kernel of f34_axes.published, for square matrices and square blocks.
#include "f34_axes.published.cu"
