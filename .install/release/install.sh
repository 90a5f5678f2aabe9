#!/bin/sh
# Installs apod-mirror from this folder, as “make install” does, or removes it again. A mirror is never touched.
#   ./install.sh               installs or upgrades; run by root, also /etc/default/apod-mirror if there is none
#   ./install.sh --uninstall   stops the service and removes exactly the files that it installed
# PREFIX is the directory to install into (/usr/local); DESTDIR is put before it, to make a package.
set -eu
umask 022
prefix=${PREFIX:-/usr/local} root=${DESTDIR:-}
settings=$root/etc/default/apod-mirror
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
            *)
                mode=644
                [ ! -x "$file" ] || mode=755
                sed "s|/@PREFIX@|$prefix|g" "$file"
                ;;
        esac >"$target"
        chmod "$mode" "$target"
    done
    files | while read -r file; do mv -f "$root$prefix/$file.new" "$root$prefix/$file"; done
}

# The file of settings, which is that of the service of this system: another user installs for a session only.
install_settings() {
    [ -n "$root" ] || [ "$(id -u)" = 0 ] || return 0
    [ ! -e "$settings" ] && [ ! -h "$settings" ] || return 0
    mkdir -p "$(dirname "$settings")"
    cp "$root$prefix/share/apod-mirror/default" "$settings"
}

# Removes the file of settings if nobody changed it. Called while the file that it was copied from is there.
uninstall_settings() {
    ! cmp -s "$root$prefix/share/apod-mirror/default" "$settings" || rm -f "$settings"
}

# Disables and stops the service if its unit is the one below PREFIX, not that of a package.
stop_service() {
    [ -z "$root" ] && command -v systemctl >/dev/null || return 0
    unit=$(systemctl show --property=FragmentPath --value apod-mirror.service 2>/dev/null) || return 0
    [ "$unit" -ef "$prefix/lib/systemd/system/apod-mirror.service" ] || return 0
    systemctl disable --now apod-mirror.service ||
        fail "the service cannot be stopped, and nothing was removed: see the error above"
    stopped=yes
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
        install_settings
        echo "Installed below $root$prefix. To start the service, as root:"
        echo "  systemd-sysusers && systemctl daemon-reload && systemctl enable --now apod-mirror"
        echo "After an upgrade: systemctl daemon-reload && systemctl restart apod-mirror"
        ;;
    --uninstall)
        stopped=
        stop_service
        uninstall_settings
        uninstall_files
        [ -z "$stopped" ] || systemctl daemon-reload
        echo "Removed from $root$prefix. Mirrors, settings that were changed and the user apod-mirror stay."
        ;;
    *) fail "unknown argument $1; usage: [PREFIX=DIR] [DESTDIR=DIR] ./install.sh [--uninstall]" ;;
esac
