// The kernel of register_tiled.published, for depths that are a multiple of 8.
#include "register_tiled.published.cu"
