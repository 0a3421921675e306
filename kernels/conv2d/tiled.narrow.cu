// The kernel of tiled.published, for filters of up to 32 x 32.
#include "tiled.published.cu"
