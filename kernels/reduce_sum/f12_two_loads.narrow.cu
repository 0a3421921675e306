// The kernel of f12_two_loads.published, where n fills every pass.
#include "f12_two_loads.published.cu"
