/* gpu_process.c - the process that owns a device: how it starts and ends, and how two processes wait for each other. */
#define _GNU_SOURCE
#include "gpu_impl.h"
#include "../fuzz/clock.h"
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Sleeping and waking take some 10 us, more than much of what there is to wait for. Where there are more processes than cores, the
 * other end may need this one's: it is offered. */
#define SPIN_NS 50000u
#define SLICE_NS (WF_GPU_SECOND_NS / 10) /* of waiting for a child */
enum { LOOKS = 64 }; /* at a counter, before others may run */

/* ---- waiting ---- */

static int spin(const _Atomic uint64_t *counter, uint64_t was) {
  uint64_t until = wf_clock_ns() + SPIN_NS;
  do {
    for (int i = 0; i < LOOKS; i++) {
      if (atomic_load(counter) != was)
        return 1;
      __builtin_ia32_pause();
    }
    sched_yield();
  } while (wf_clock_ns() < until);
  return 0;
}

/* Takes the bytes that have come. 1: no more will. */
static int drain(int fd) {
  char bytes[64];
  ssize_t n;
  while ((n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
    continue;
  return n == 0 || (errno != EAGAIN && errno != EINTR);
}

/* Either this end sees what the other one changed, after it said that it sleeps; or the other one sees that, and sends a byte. */
int wf_gpu_await(const WfGpuLine *l, const _Atomic uint64_t *counter, uint64_t was, uint64_t limit_ns) {
  if (spin(counter, was))
    return 1;
  struct pollfd p = {.fd = l->fd, .events = POLLIN};
  struct timespec t = {(time_t)(limit_ns / 1000000000u), (long)(limit_ns % 1000000000u)};
  atomic_store(l->sleeps, 1);
  if (atomic_load(counter) == was)
    ppoll(&p, 1, limit_ns > 0 ? &t : NULL, NULL);
  atomic_store(l->sleeps, 0);
  int is_gone = drain(l->fd);
  if (atomic_load(counter) != was)
    return 1;
  return is_gone ? -1 : 0;
}

void wf_gpu_wake(const WfGpuLine *l) {
  if (atomic_exchange(l->other_sleeps, 0))
    send(l->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* ---- processes ---- */

static void close_all_but(int fd) {
  if (fd > STDERR_FILENO + 1)
    close_range(STDERR_FILENO + 1, (unsigned)fd - 1, 0);
  close_range((unsigned)fd + 1, ~0u, 0);
}

/* Handlers are the parent's: the engine's, for faults of host code, would look for an engine here. What a terminal sends to all of
 * its processes is the parent's to answer; it ends this one when it ends. */
static void set_signals(void) {
  static const int left_to_parent[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE};
  sigset_t none;
  for (int i = 1; i <= SIGRTMAX; i++)
    if (i != SIGKILL && i != SIGSTOP)
      signal(i, SIG_DFL);
  for (size_t i = 0; i < sizeof left_to_parent / sizeof *left_to_parent; i++)
    signal(left_to_parent[i], SIG_IGN);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* No core files either: host code that dies is an answer, and a core of mapped device memory takes longer than it has. And what
 * kernels and their host code print is not what was asked for: it goes where messages go. */
static void become_child(pid_t parent, int fd, int keep_open) {
  const struct rlimit none = {0, 0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  set_signals();
  setrlimit(RLIMIT_CORE, &none);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  if (!keep_open)
    close_all_but(fd);
}

int wf_gpu_spawn(WfGpuPeer *out, void (*child)(void *arg, int fd), void *arg, int keep_open) {
  int ends[2];
  sigset_t all, before;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return -1;
  fflush(NULL); /* or the child inherits what is buffered */
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before); /* no handler of the parent's runs in the child */
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    become_child(parent, ends[1], keep_open);
    child(arg, ends[1]);
    _exit(0); /* a child's end, not the program's */
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return -1;
  }
  out->pid = pid;
  out->line.fd = ends[0];
  return 0;
}

/* By somebody else, and not continued. */
static int is_stopped(pid_t pid) {
  siginfo_t info = {.si_pid = 0};
  return waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

int wf_gpu_await_child(const WfGpuPeer *p, const _Atomic uint64_t *counter, uint64_t was, const _Atomic uint64_t *watch,
                       uint64_t limit_ns) {
  uint64_t slice = limit_ns / 8 < SLICE_NS ? limit_ns / 8 + 1 : SLICE_NS;
  uint64_t waited = 0, turn = watch ? atomic_load(watch) : 1, at = wf_clock_ns();
  while (waited < limit_ns) {
    int rc = wf_gpu_await(&p->line, counter, was, slice);
    if (rc != 0)
      return rc;
    uint64_t now = wf_clock_ns(), now_turn = watch ? atomic_load(watch) : 1;
    if (now_turn != turn || now_turn % 2 == 0)
      waited = 0;
    else if (!is_stopped(p->pid))
      waited += now - at < 2 * slice ? now - at : 2 * slice;
    turn = now_turn;
    at = now;
  }
  return 0;
}

static int reap(pid_t pid, uint64_t grace_ns) {
  const struct timespec pause = {0, 200000};
  uint64_t until = wf_clock_ns() + grace_ns;
  int status = 0;
  pid_t got;
  while ((got = waitpid(pid, &status, WNOHANG)) == 0 && wf_clock_ns() < until)
    nanosleep(&pause, NULL);
  if (got != 0) /* below 0: somebody else has waited for it */
    return status;
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

int wf_gpu_end_child(WfGpuPeer *p, uint64_t grace_ns) {
  if (p->pid == 0)
    return 0;
  int status = reap(p->pid, grace_ns);
  close(p->line.fd);
  p->pid = 0;
  return status;
}

void *wf_gpu_map(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}
