# complete.zsh - what becomes of a command line in zsh when the Tab key is pressed behind it: of one that goes on in one way only, the whole word. Usage:
# zsh -f complete.zsh FOLDER-OF-THE-COMPLETION LINE. An interactive zsh is run on a terminal of its own, with its usual completion.
zmodload zsh/zpty || exit 99
zpty -b shell "PS1= PS2= TERM=dumb HOME=$PWD zsh -f -i"
zpty -w shell "unsetopt zle_bracketed_paste; fpath=(${(q)1} \$fpath); autoload -Uz compinit && compinit -u -D"
zpty -w shell "show() { print -r -- \"<<\$BUFFER>>\"; BUFFER=; zle accept-line }; zle -N show; bindkey '^X' show; bindkey '^I' complete-word"
zpty -w shell "print rea''dy"
zpty -r -m shell text $'*ready*' || exit 99
zpty -w -n shell "$2"$'\t\x18'
zpty -r -m shell text '*<<*>>*' || exit 99
text=${text##*<<}
print -r -- "${text%%>>*}"
zpty -d shell
