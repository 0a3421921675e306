// The kernel of grid_stride.published, where an element and a grid more fit in an int.
#include "grid_stride.published.cu"
