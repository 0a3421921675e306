// The kernel of block_column.published, where the chunks of a column are few enough.
#include "block_column.published.cu"
