#!/bin/sh
# Installs a part of petteia, the library or the command, or removes just what it would install:
#
#     install.sh install|uninstall|check library|command
#
# `check` only looks whether the folders will do, before anything is built. `make install` and `make uninstall` call it
# from the top folder, with their variables in the environment.
set -eu

# Prints a path from the root, without `.`, `..` and double slashes.
absolute() {
  case $1 in /*) path=$1 ;; *) path=$PWD/$1 ;; esac
  clean=
  set -f
  IFS=/
  for name in $path; do
    case $name in
      '' | .) ;;
      ..) clean=${clean%/*} ;;
      *) clean=$clean/$name ;;
    esac
  done
  printf '%s\n' "$clean"
}

# Ends with a message about a folder: its name, what is wrong, what is expected.
refuse() {
  printf '%s\n' "$1 $2: expected $3" >&2
  exit 1
}

# Prints the way from a folder to a path, both absolute.
relative() {
  from=$1 up=
  until case $2/ in "$from"/*) ;; *) false ;; esac; do
    from=${from%/*} up=$up../
  done
  way=${2#"$from"}
  way=$up${way#/}
  printf '%s\n' "${way%/}"
}

# Prints a path as a word of a .pc file, whose flags are words of a shell.
escaped() {
  printf '%s\n' "$1" | sed "s/[ \"'()&;]/\\\\&/g"
}

# Returns whether a path is in a folder.
within() {
  case $1/ in "$2"/*) true ;; *) false ;; esac
}

# Installs a file: its permissions, the source, and the place.
put() {
  if [ "$action" = uninstall ]; then
    rm -f "$DESTDIR$3"
  else
    $INSTALL -d "$DESTDIR${3%/*}"
    # A file that is being written must not be taken for a whole one, nor a library change under a running program.
    $INSTALL -m "$1" "$2" "$DESTDIR$3.part"
    mv -f "$DESTDIR$3.part" "$DESTDIR$3"
  fi
}

# Installs a link: its target, and the place.
put_link() {
  rm -f "$DESTDIR$2"
  [ "$action" = uninstall ] || ln -s "$1" "$DESTDIR$2"
}

# Removes a folder that holds nothing but petteia's files, once they are gone.
own_folder() {
  if [ "$action" = uninstall ] && [ -d "$DESTDIR$1" ]; then
    rmdir "$DESTDIR$1" 2>/dev/null || true
  fi
}

# Prints a command for sed that replaces a word by a text.
replace() {
  printf 's|@%s@|%s|\n' "$1" "$(printf '%s\n' "$2" | sed 's/[&|\\]/\\&/g')"
}

# Installs a template of src/capi, filled in.
put_filled() {
  {
    replace PREFIX "$prefix_in_pc"
    replace LIBDIR "$lib_in_pc"
    replace INCLUDEDIR "$include_in_pc"
    replace RPATH "$rpath"
    replace INCLUDE_FROM_CMAKE "$(relative "$LIBDIR/cmake/petteia" "$INCLUDEDIR")"
    replace VERSION "$VERSION"
    replace MAJOR "$MAJOR"
    replace MINOR "$MINOR"
    replace ABI "$ABI"
  } >"$scratch/filling"
  sed -f "$scratch/filling" "src/capi/$1.in" >"$scratch/filled"
  put 644 "$scratch/filled" "$2/$1"
}

# Installs the manual pages of a section. In section 3, every function has its page by a line that names another.
put_pages() {
  for page in docs/man/*."$1"; do
    [ -f "$page" ] || continue
    put 644 "$page" "$MANDIR/man$1/${page##*/}"
    for name in $(sed -n 's/^\.\\" Names: //p' "$page"); do
      echo ".so man$1/${page##*/}" >"$scratch/link"
      put 644 "$scratch/link" "$MANDIR/man$1/$name.$1"
    done
  done
}

put_licences() {
  for file in LICENSE-MIT LICENSE-APACHE; do
    put 644 "$file" "$DATADIR/doc/petteia/$file"
  done
  own_folder "$DATADIR/doc/petteia"
}

library() {
  # Absolute paths, which end in programs as their rpath. `pkg-config --define-prefix` finds a prefix that was moved.
  prefix_in_pc=$(escaped "$PREFIX") lib_in_pc=$(escaped "$LIBDIR") include_in_pc=$(escaped "$INCLUDEDIR")
  rpath='-Wl,-rpath,${libdir}'
  case $PREFIX in /usr | /usr/local) rpath= ;; esac
  if within "$LIBDIR" "$PREFIX"; then lib_in_pc='${prefix}'$(escaped "${LIBDIR#"$PREFIX"}"); fi
  if within "$INCLUDEDIR" "$PREFIX"; then include_in_pc='${prefix}'$(escaped "${INCLUDEDIR#"$PREFIX"}"); fi

  for header in include/*.h*; do
    put 644 "$header" "$INCLUDEDIR/${header##*/}"
  done
  for header in include/breakdown/*.h; do
    put 644 "$header" "$INCLUDEDIR/breakdown/${header##*/}"
  done
  own_folder "$INCLUDEDIR/breakdown"

  put 644 "$BUILT/libpetteia.a" "$LIBDIR/libpetteia.a"
  put 755 "$BUILT/libpetteia.so" "$LIBDIR/libpetteia.so.$VERSION"
  put_link "libpetteia.so.$VERSION" "$LIBDIR/libpetteia.so.$ABI"
  put_link "libpetteia.so.$ABI" "$LIBDIR/libpetteia.so"

  put_filled petteia.pc "$LIBDIR/pkgconfig"
  put_filled petteia-breakdown.pc "$LIBDIR/pkgconfig"
  put_filled petteia-config.cmake "$LIBDIR/cmake/petteia"
  put_filled petteia-config-version.cmake "$LIBDIR/cmake/petteia"
  own_folder "$LIBDIR/cmake/petteia"

  put 644 src/capi/valgrind.supp "$DATADIR/petteia/valgrind.supp"
  own_folder "$DATADIR/petteia"
  put_pages 3
  put_licences
  [ "$action" = uninstall ] || tell_the_loader
}

# Programs find a library in the system's folders by a cache, which ldconfig refreshes; elsewhere, by their rpath.
tell_the_loader() {
  PATH=$PATH:/usr/sbin:/sbin
  command -v "$LDCONFIG" >/dev/null || return 0
  if [ -n "$DESTDIR" ]; then
    [ -n "$rpath" ] || echo "Once the files are in $LIBDIR, run ldconfig, so that programs find the library."
  elif "$LDCONFIG" -v -N 2>/dev/null | sed 's/:.*//' | grep -Fqx "$LIBDIR"; then
    if [ "$(id -u)" -ne 0 ] || ! "$LDCONFIG"; then
      echo "Run ldconfig as root, so that programs find the library in $LIBDIR."
    fi
  elif [ -z "$rpath" ]; then
    echo "Programs do not look in $LIBDIR: add it to /etc/ld.so.conf and run ldconfig, or set LD_LIBRARY_PATH."
  fi
}

command_and_pages() {
  put 755 "$BUILT/petteia" "$BINDIR/petteia"
  put_pages 1
  put 644 docs/completions/petteia.bash "$DATADIR/bash-completion/completions/petteia"
  put 644 docs/completions/_petteia "$DATADIR/zsh/site-functions/_petteia"
  put 644 docs/completions/petteia.fish "$DATADIR/fish/vendor_completions.d/petteia.fish"
  put_licences
}

action=$1
for folder in PREFIX BINDIR LIBDIR INCLUDEDIR DATADIR MANDIR; do
  eval "given=\$$folder"
  [ -n "$given" ] || refuse "$folder" 'is empty' 'a folder, such as /usr/local'
  eval "$folder=\$(absolute \"\$$folder\")"
done
for folder in PREFIX LIBDIR INCLUDEDIR; do
  eval "given=\$$folder"
  case $2,$given in
    library,*[,:\$#\\]*) refuse "$folder" "is $given" 'a path without , : $ # and \, which pkg-config or linkers take apart' ;;
  esac
done
[ "$action" != check ] || exit 0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
case $2 in
  library) library ;;
  command) command_and_pages ;;
esac
