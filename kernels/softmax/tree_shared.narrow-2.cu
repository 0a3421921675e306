// The kernel of tree_shared.published-2, for rows no longer than the block.
#include "tree_shared.published-2.cu"
