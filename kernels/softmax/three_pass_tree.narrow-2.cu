// The kernel of three_pass_tree.published-2, for rows of finite numbers.
#include "three_pass_tree.published-2.cu"
