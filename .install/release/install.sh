#!/bin/sh
# Installs apod-mirror from this folder, as “make install” does, or removes it again. A mirror is never touched.
#   ./install.sh               installs or upgrades
#   ./install.sh --uninstall   removes exactly the files that it installed
# PREFIX is the directory to install into (/usr/local); DESTDIR is put before it, to make a package.
set -eu
umask 022
prefix=${PREFIX:-/usr/local} root=${DESTDIR:-}
cd "$(dirname "$0")/files"

fail() { echo "install.sh: $1" >&2; exit 1; }

files() { find . -type f | sed 's|^\./||'; }

# The folders that are removed when they are empty: all but those of a new system.
folders() {
    find . -mindepth 1 -depth -type d | sed 's|^\./||' | grep --invert-match --line-regexp -e bin -e lib -e share -e share/man
}

# Programs of another architecture, libraries that are not installed or too old.
check_libraries() {
    for program in bin/apod-mirror lib/apod-mirror/apod-mirror-thumbnailer; do
        libraries=$(ldd "$program" 2>&1) || fail "$program does not run on $(uname -m): $libraries"
        missing=$(echo "$libraries" | grep 'not found') || continue
        fail "libraries are missing:
$missing
On Debian 12 or newer: apt-get install --no-install-recommends @PACKAGES@"
    done
}

# Writes all files under temporary names first: without space, the installed version stays as it is.
install_files() {
    trap 'files | while read -r file; do rm -f "$root$prefix/$file.new"; done' EXIT
    trap 'exit 1' HUP INT TERM
    files | while read -r file; do
        target=$root$prefix/$file.new
        mkdir -p "$(dirname "$target")"
        case $file in
            bin/* | lib/apod-mirror/*) mode=755; cat "$file" ;;
            *) mode=644; sed "s|/@PREFIX@|$prefix|g" "$file" ;;
        esac >"$target"
        chmod "$mode" "$target"
    done
    files | while read -r file; do mv -f "$root$prefix/$file.new" "$root$prefix/$file"; done
}

uninstall_files() {
    files | while read -r file; do rm -f "$root$prefix/$file"; done
    folders | while read -r folder; do
        [ ! -d "$root$prefix/$folder" ] || rmdir --ignore-fail-on-non-empty "$root$prefix/$folder"
    done
}

# What make and a replacement of sed take.
case $prefix$root in *[!A-Za-z0-9/._+@~,=-]*) fail "PREFIX and DESTDIR may have letters, digits and /._+@~,=- only" ;; esac
case $prefix in /*) ;; *) fail "PREFIX=$prefix is not an absolute path" ;; esac
existing=$root$prefix
while [ ! -e "$existing" ]; do existing=$(dirname "$existing"); done
[ -w "$existing" ] || fail "cannot write to $existing: run it as root, or set PREFIX"

case ${1-} in
    '')
        [ -n "$root" ] || check_libraries
        install_files
        echo "Installed below $root$prefix. To start the service, as root:"
        echo "  systemd-sysusers && systemctl daemon-reload && systemctl enable --now apod-mirror"
        echo "After an upgrade: systemctl daemon-reload && systemctl restart apod-mirror"
        ;;
    --uninstall)
        uninstall_files
        echo "Removed from $root$prefix. Mirrors, settings and the user apod-mirror stay."
        ;;
    *) fail "unknown argument $1; usage: [PREFIX=DIR] [DESTDIR=DIR] ./install.sh [--uninstall]" ;;
esac
