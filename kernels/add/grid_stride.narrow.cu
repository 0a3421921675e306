// The kernel of grid_stride.published, where an element and two grids more fit in an int.
#include "grid_stride.published.cu"
