# tap.sh - read by the test scripts: results in TAP, the temporary directory, what `make check` says about the build.
# shellcheck shell=sh

: "${WF_SRCDIR:?is set by make check}" "${WF_BUILDDIR:?is set by make check}"
count=0
failed=0
temp=$(mktemp -d "${TMPDIR:-/tmp}/warpfuzz-test.XXXXXX") || exit 99
trap 'rm -rf "$temp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# result STATUS NAME [FILE]...: one line; the files explain a failure.
result() {
  count=$((count + 1))
  if [ "$1" -eq 0 ]; then
    printf 'ok %d - %s\n' "$count" "$2"
    return 0
  fi
  failed=1
  printf 'not ok %d - %s\n' "$count" "$2"
  shift 2
  for file in "$@"; do sed 's/^/# /' "$file"; done
}

# skip_all REASON: for the whole file. With TAP the plan says it, not the exit status.
skip_all() {
  printf '1..0 # SKIP %s\n' "$1"
  exit 0
}

bail_out() {
  printf 'Bail out! %s\n' "$1"
  exit 99
}

# finish: the plan, and the exit status.
finish() {
  printf '1..%d\n' "$count"
  exit "$failed"
}

# case_files: the paths of all corpus cases, seen from the source directory.
case_files() {
  (cd "$WF_SRCDIR" && find corpus -name '*.case' | sort)
}
