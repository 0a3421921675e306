// The kernel of f70_fixed_rows.published, for blocks of 32 x 16.
#include "f70_fixed_rows.published.cu"
