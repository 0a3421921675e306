// The kernel of tiled.published-2, for matrices c of whole tiles.
#include "tiled.published-2.cu"
