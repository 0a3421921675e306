// The kernel of multi_block_last.published, for rows that one block takes alone.
#include "multi_block_last.published.cu"
