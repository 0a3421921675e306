// The kernel of f12_two_loads.published-3, where n fills every pass.
#include "f12_two_loads.published-3.cu"
