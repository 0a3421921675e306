// The kernel of f64_row_loop.published, with a block for every row.
#include "f64_row_loop.published.cu"
