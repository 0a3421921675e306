// The kernel of last_block.published, where one block takes all elements.
#include "last_block.published.cu"
