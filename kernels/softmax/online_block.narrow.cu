// The kernel of online_block.published, for blocks of one thread, where there is nothing to merge.
#include "online_block.published.cu"
