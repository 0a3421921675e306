// The kernel of block_row.published, one row a block.
#include "block_row.published.cu"
