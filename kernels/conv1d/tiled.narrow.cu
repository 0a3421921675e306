// The kernel of tiled.published, for filters no longer than the block.
#include "tiled.published.cu"
