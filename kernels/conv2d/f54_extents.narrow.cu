// The kernel of f54_extents.published, for square images.
#include "f54_extents.published.cu"
