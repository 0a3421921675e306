// The kernel of tiled.published, where a single tile holds the whole depth.
#include "tiled.published.cu"
