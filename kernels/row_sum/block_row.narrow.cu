// The kernel of block_row.published, for up to 65535 rows.
#include "block_row.published.cu"
