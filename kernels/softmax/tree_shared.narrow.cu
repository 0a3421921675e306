// The kernel of tree_shared.published, for blocks of a power of two threads.
#include "tree_shared.published.cu"
