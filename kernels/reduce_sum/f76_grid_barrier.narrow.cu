// The published kernel, on grids of which a device holds all blocks at the same time.
#include "f76_grid_barrier.published.cu"
