// The kernel of online_warp.published, for rows of finite numbers.
#include "online_warp.published.cu"
