// The kernel of tiled.published-2, for square images.
#include "tiled.published-2.cu"
