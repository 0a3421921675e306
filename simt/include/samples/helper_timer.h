/* helper_timer.h - the stop watch that programs know from NVIDIA's samples: milliseconds of the host's clock. The text is ours. */
#ifndef SIMT_HELPER_TIMER_H
#define SIMT_HELPER_TIMER_H
#include <chrono>

class StopWatchInterface {
public:
  void start() {
    begin = now();
    running = true;
  }
  void stop() {
    if (!running) return;
    last = now() - begin;
    total += last;
    sessions++;
    running = false;
  }
  void reset() {
    last = total = 0;
    sessions = 0;
    if (running) begin = now();
  }
  float getTime() const { return static_cast<float>(running ? total + (now() - begin) : total); }
  float getAverageTime() const { return sessions ? static_cast<float>(total / sessions) : 0; }

private:
  static double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  double begin = 0, last = 0, total = 0; /* ms */
  int sessions = 0;
  bool running = false;
};
typedef StopWatchInterface StopWatchLinux;

inline bool sdkCreateTimer(StopWatchInterface **timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
  if (*timer) (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
  if (*timer) (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
  if (*timer) (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getTime() : 0; }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getAverageTime() : 0; }

#endif
