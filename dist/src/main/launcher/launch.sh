# Sourced by the two scripts that are called tamis, that of a checkout and that of a distribution:
# finds a Java 17 or later and becomes the command. When nothing is to be made this costs a few
# milliseconds, so it starts almost no process of its own. TAMIS_JAVA_OPTS holds options for the JVM.
#
# Uses root, the folder that was unpacked or cloned, and app, the one that has lib, the jars. Where app
# has runtime instead, that is a Java with the command inside.

fail() {
  printf 'tamis: %s\n' "$1" >&2
  exit 2
}

case $root in
  *:*) fail "cannot run in $root: Java's class path would end at the colon; move it" ;;
esac

# Sets version (17.0.15) and feature (17) to those of the Java in $1; false if $1 has no bin/$needs.
probe() {
  version=
  [ -x "$1/bin/java" ] && [ -x "$1/bin/$needs" ] || return 1
  if [ -r "$1/release" ]; then
    while IFS='="' read -r name _ value _; do
      [ "$name" = JAVA_VERSION ] && version=$value && break
    done <"$1/release"
  fi
  [ -n "$version" ] ||
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
  feature=${version#1.}
  feature=${feature%%[!0-9]*}
  [ -n "$feature" ]
}

# Sets home to the Java to use, whose bin has $1, java or javac: JAVA_HOME, the one on the PATH, or
# the newest in the usual places.
find_java() {
  needs=$1
  kind=Java
  [ "$needs" = java ] || kind=JDK
  found=
  if [ -n "${JAVA_HOME:-}" ]; then
    home=$JAVA_HOME
    if probe "$home"; then
      [ "$feature" -ge 17 ] && return
      found="JAVA_HOME is a $kind $feature"
    else
      found="JAVA_HOME holds no $kind"
    fi
  fi
  if java=$(command -v java); then
    java=$(readlink -f -- "$java" 2>/dev/null || printf %s "$java")
    home=${java%/bin/java}
    # A shim that stands for java lies in no Java, but the JVM behind it knows its home.
    [ -e "$home/release" ] || home=$("$java" -XshowSettings:properties -version 2>&1 |
      sed -n 's/^ *java\.home = //p')
    if probe "$home"; then
      [ "$feature" -ge 17 ] && return
      found="${found:+$found, }java on the PATH is of a $kind $feature"
    else
      found="${found:+$found, }java on the PATH is of no $kind"
    fi
  fi
  newest=16
  set +f
  for candidate in /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if probe "$candidate" && [ "$feature" -gt "$newest" ]; then
      home=$candidate
      newest=$feature
    fi
  done
  set -f
  [ "$newest" -gt 16 ] ||
    fail "needs a $kind 17 or later, but ${found:-there is no JAVA_HOME and no java on the PATH}"
  probe "$home"
}

# Sets jars to the class path. Sorted by the shell, so always the same, as the archive needs.
class_path() {
  jars=
  set +f
  for jar in "$app"/lib/*.jar; do
    jars=$jars:$jar
  done
  set -f
  jars=${jars#:}
}

# Sets cds to the class-data-sharing archive to use, which the JVM maps instead of reading classes one
# by one, and makes it if there is none; to nothing if there is no place for it. It fits one JVM and
# one set of jars, so its name says which.
find_archive() {
  build=
  [ -r "$app/build-id" ] && read -r build <"$app/build-id"
  cds=$version${build:+-$build}
  append "$home"
  folder=$app/cds
  [ -d "$folder" ] || mkdir -p "$folder" 2>/dev/null
  if is_open "$folder" || ! { [ -e "$folder/$cds" ] || [ -w "$folder" ]; }; then
    append "$app"
    own_folder || { cds= && return; }
  fi
  [ ${#cds} -le 200 ] || cds=$version-$(printf %s "$cds" | cksum | tr ' ' -)
  cds=$folder/$cds
  [ -e "$cds" ] || make_archive
}

# Appends the parts of a path to cds.
append() {
  IFS=/
  for part in $1; do
    cds=$cds-$part
  done
  unset IFS
}

# Says so if others may write in a folder: what is in an archive decides what runs. The group may write
# in a checkout, whose owner decided so, but not in the user's own folder.
is_open() {
  case $(ls -ld -- "$1/." 2>/dev/null) in
    ????????w*) ;;
    ?????w*) [ "$1" = "$folder/tamis" ] || return 1 ;;
    *) return 1 ;;
  esac
  printf 'tamis: ignoring %s, in which others may write; empty it, then chmod go-w it\n' "$1" >&2
}

# Sets folder to one of the user's; false unless only the user can have written there. So a root that
# has kept the HOME of another goes without.
own_folder() {
  folder=${XDG_CACHE_HOME:-${HOME:-}/.cache}
  case $folder in
    /.cache | [!/]*) return 1 ;;
  esac
  parent=$folder
  [ -e "$folder" ] || parent=${folder%/*}
  [ -O "$parent" ] && (umask 077 && mkdir -p "$folder/tamis" 2>/dev/null) &&
    [ -O "$folder/tamis" ] && ! [ -L "$folder/tamis" ] && ! is_open "$parent" &&
    ! is_open "$folder/tamis" && folder=$folder/tamis
}

# Makes the archive. If none can be made, an empty file takes its place and nobody tries again.
make_archive() {
  # Those of earlier versions, and of runs that were killed. A JVM that uses one keeps it.
  find "$folder" -maxdepth 1 -type f -mtime +30 -exec rm -f -- {} + 2>/dev/null
  printf 'a\nb\na\n' >"$cds.$$.in"
  [ -z "$jars" ] || set -- -cp "$jars"
  quietly "-XX:DumpLoadedClassList=$cds.$$.list" "$@" dev.tamis.cli.Main dedup "$cds.$$.in"
  quietly -Xshare:dump "-XX:SharedClassListFile=$cds.$$.list" "-XX:SharedArchiveFile=$cds.$$" "$@"
  [ -e "$cds.$$" ] || : >"$cds.$$"
  mv -f "$cds.$$" "$cds"
  rm -f "$cds.$$.in" "$cds.$$.list"
}

# Runs a JVM and throws away what it says.
quietly() {
  "$home/bin/java" $flags "$@" >/dev/null 2>&1 </dev/null
}

# Becomes the command.
launch() {
  # Serial, because it starts fastest and there is little garbage to collect; with a small young
  # generation, because a filter is a few arrays that must fit in what is left of the heap. From 4 MB
  # on they go to the old one at once, whose beginning lets their blocks be aligned to cache lines.
  case ${TAMIS_JAVA_OPTS:-} in
    *-XX:+Use*GC*) flags= ;;
    *) flags='-XX:+UseSerialGC -XX:MaxNewSize=64m -XX:PretenureSizeThreshold=4m' ;;
  esac
  # Twenty times what dedup uses; the tables for the default of 240 MB take 2 MB more.
  flags="$flags -XX:ReservedCodeCacheSize=64m"
  flags="$flags -XX:MaxRAMPercentage=80 -Dfile.encoding=UTF-8"
  # No command reads Java objects, so none may be made out of a file.
  flags="$flags -Djdk.serialFilter=!*"
  # The JVM would print its warnings, such as about an archive it cannot use, among the data.
  flags="$flags -Xlog:disable -Xlog:all=error:stderr -XX:-PrintWarnings"
  # A large filter is allocated six times faster in pages of 2 MiB than of 4 KiB.
  [ -e /sys/kernel/mm/transparent_hugepage ] && flags="$flags -XX:+UseTransparentHugePages"

  set -- dev.tamis.cli.Main "$@"
  if [ -x "$app/runtime/bin/java" ]; then
    home=$app/runtime
    needs=java
    probe "$home"
    jars=
    unset CLASSPATH # it would be read before the classes in the runtime
  else
    [ -n "${home:-}" ] || find_java java
    class_path
    set -- -cp "$jars" "$@"
  fi
  # The library that reads zstd is native code; JVMs from 24 on warn of it.
  [ "${feature:-0}" -ge 24 ] && flags="$flags --enable-native-access=ALL-UNNAMED"
  find_archive
  [ -s "$cds" ] && set -- "-XX:SharedArchiveFile=$cds" "$@"

  # The JVM reads file names in the encoding of the locale, and in the C locale that is ASCII.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) export LC_ALL=C.UTF-8 ;;
  esac
  [ -t 1 ] && flags="$flags -Dtamis.stdout.tty=true"
  [ -t 2 ] && flags="$flags -Dtamis.stderr.tty=true"

  exec "$home/bin/java" $flags ${TAMIS_JAVA_OPTS:-} "$@"
}
