# complete.bash - what bash offers for a command line. Usage: bash complete.bash FILE-OF-THE-COMPLETION PROGRAM WORD...; the last WORD is the one
# that is being typed. bash itself splits --name=value into three words: so must the caller.
# shellcheck shell=bash
# shellcheck disable=SC1090
source "$1" || exit 99
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
function=$(complete -p warpfuzz | sed 's/.* -F \([^ ]*\) .*/\1/')
"$function" "$2" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
