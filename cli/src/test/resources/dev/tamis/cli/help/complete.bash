# Prints what bash completes: complete.bash SCRIPT LINE.
. "$1"
read -ra COMP_WORDS <<<"${2//=/ = }" # as bash splits it
[[ $2 == *[\ =] ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
default=yes
compopt() { default=no; }
_tamis 2>&1
if ((${#COMPREPLY[@]})); then
  printf '%s\n' "${COMPREPLY[@]}"
elif [[ $default == yes ]]; then
  compgen -f -- "${COMP_WORDS[COMP_CWORD]}"
fi
