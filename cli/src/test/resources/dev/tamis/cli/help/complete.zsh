# Prints what zsh completes: complete.zsh DIRECTORY LINE, the directory having the function _tamis.
# A zsh of its own is typed at through a pseudo terminal, because nothing else calls a completion.
zmodload zsh/zpty
cat >$1/.init <<END
PROMPT=
fpath=(${(q)1} \$fpath)
autoload -Uz compinit
compinit -u -D
END
cat >>$1/.init <<'END'
bindkey '^M' undefined
bindkey '^J' undefined
bindkey '^I' complete-word
zstyle ':completion:*' list-grouped false
zstyle ':completion:*' insert-tab false
null-line () { echo -E - $'\0' }
compprefuncs=( null-line )
comppostfuncs=( null-line exit )
compadd () {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return $?
  fi
  typeset -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits
}
echo ok
END
zpty child zsh -f -i
zpty -w child "source $1/.init"
repeat 6; do
  zpty -r child line
  [[ $line == ok* ]] && break
done
zpty -w child "$2"$'\t'
integer shown=0
while zpty -r child line; do
  if [[ $line == *$'\0'* ]]; then
    (( shown++ )) && exit 0
  elif (( shown )); then
    print -r -- "${line%$'\r\n'}"
  fi
done
