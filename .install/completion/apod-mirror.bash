# Completion of apod-mirror(1) for bash.

# A typed path without quotes and backslashes, with the home directory for ~/. Nothing else is expanded.
_apod_mirror_unquoted() {
    local word=$1 plain='' quote='' next
    if [[ $word == '~/'* ]]; then
        plain=$HOME word=${word:1}
    fi
    while [[ -n $word ]]; do
        next=${word:0:1} word=${word:1}
        case $quote$next in
            \' | \") quote=$next ;;
            "''" | '""') quote= ;;
            \\ | '"\')
                [[ $quote && ${word:0:1} != [\"\\\$\`] ]] && plain+=\\
                plain+=${word:0:1} word=${word:1} ;;
            *) plain+=$next ;;
        esac
    done
    printf '%s\n' "$plain"
}

# The days that begin with $1 of the mirror that the command would use: of --root, APOD_MIRROR_ROOT, the current
# directory, the service or the user. $2: “favorites”, or “removed” with those whose links are gone.
_apod_mirror_days() {
    local root above=$PWD service user i file
    local -a files
    while [[ -n $above && ! -f $above/.apod-mirror/mirror.json ]]; do above=${above%/*}; done
    service=$(tail --lines=1 /var/cache/apod-mirror/mirrors 2>/dev/null)
    user=$(sed --quiet 's/^APOD_MIRROR_ROOT=//p' "${XDG_CONFIG_HOME:-$HOME/.config}/apod-mirror/environment" 2>/dev/null)
    for root in "$APOD_MIRROR_ROOT" "$above" "${service#* }" /var/lib/apod-mirror "$user" \
        "${XDG_PICTURES_DIR:-$HOME/Pictures}/APOD"; do
        [[ -n $root && -d $root/metadata ]] && break
    done
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == --root ]] || continue
        root=${COMP_WORDS[i + 1]}
        [[ $root == = ]] && root=${COMP_WORDS[i + 2]}
        root=$(_apod_mirror_unquoted "$root")
    done
    case ${2-} in
        favorites) files=("$root"/.apod-mirror/favorites/"$1"*.json) ;;
        removed)
            mapfile -t files < <(grep -ls '"held": true' "$root"/.apod-mirror/favorites/"$1"*.json)
            files+=("$root"/.apod-mirror/trash/*/"$1"*.json) ;;
        *) files=("$root"/metadata/*/*/"$1"*.json) ;;
    esac
    for file in "${files[@]}"; do
        [[ -e $file ]] || continue
        file=${file##*/} file=${file%.json} file=${file% favorite}
        # compgen expands its words: a name such as $(…) would run a command.
        [[ $file =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] && printf '%s\n' "$file"
    done
}

# Written by “make docs” from here.
_apod_mirror_commands='run status verify favorites show search adopt doctor help version'

# The options of a command.
_apod_mirror_options() {
    case $1 in
        run) echo '--once --dry-run --root --since --keep --upstream --mirrors --limit-rate --min-free --videos --thumbnails --sidecars --base-url --v1 --wallpapers --wallpaper-size --wallpaper-orientation --on-new --quiet --log-level --feed --jobs --pace --recheck' ;;
        status) echo '--json --metrics --missing --report --root' ;;
        verify) echo '--repair --quick --manifest --since --json --quiet --root --upstream --mirrors --feed --limit-rate --pace --min-free' ;;
        favorites) echo '--json --as --held --notify --root --min-free' ;;
        show) echo '--json --root' ;;
        search) echo '--json --path --null --root' ;;
        adopt) echo '--dry-run --json --offline --root --upstream --mirrors --feed --limit-rate --jobs --pace --min-free' ;;
        doctor) echo '--offline --json --root --upstream --feed --min-free' ;;
        help) echo '--all' ;;
    esac
}

# What the value of an option is.
_apod_mirror_value() {
    case $1 in
        --root) echo 'directory' ;;
        --since) echo 'words 7d 30d 365d all' ;;
        --keep) echo 'words all 365d 20GB' ;;
        --upstream) echo 'nothing' ;;
        --mirrors) echo 'words https://apod.com/en/ off' ;;
        --limit-rate) echo 'words 100k 500k 2m' ;;
        --min-free) echo 'words 0 1GiB 10GiB' ;;
        --thumbnails) echo 'words yes no' ;;
        --base-url) echo 'nothing' ;;
        --v1) echo 'words 0 400 all' ;;
        --wallpapers) echo 'words 0 30 100' ;;
        --wallpaper-size) echo 'words 1920x1080 2560x1440 3840x2160' ;;
        --wallpaper-orientation) echo 'words landscape portrait any' ;;
        --on-new) echo 'nothing' ;;
        --log-level) echo 'words error warning notice info debug' ;;
        --feed) echo 'words auto basic v1' ;;
        --jobs) echo 'nothing' ;;
        --pace) echo 'words 0s 1s 5s' ;;
        --recheck) echo 'words yes no' ;;
        --as) echo 'nothing' ;;
    esac
}
# Written by “make docs” to here.

# Offers words, or the names of directories.
_apod_mirror_offer() {
    case $1 in
        directory)
            compopt -o filenames 2> /dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
        words) mapfile -t COMPREPLY < <(compgen -W "${*:2}" -- "$cur") ;;
    esac
}

_apod_mirror() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} value
    # bash splits --feed=basic into three words.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        _apod_mirror_offer words "$_apod_mirror_commands --help --version"
        return
    fi
    value=$(_apod_mirror_value "$prev")
    if [[ -n $value ]]; then
        # shellcheck disable=SC2086
        _apod_mirror_offer $value
        return
    fi
    if [[ $cur == -* ]]; then
        _apod_mirror_offer words "$(_apod_mirror_options "$command") --help"
        return
    fi
    [[ $command != favorites ]] || ((COMP_CWORD == 2)) || command=${COMP_WORDS[2]}
    case $command in
        favorites) _apod_mirror_offer words list add remove restore ;;
        show) _apod_mirror_offer words random latest today yesterday "$(_apod_mirror_days "$cur")" ;;
        verify | add)
            _apod_mirror_offer words latest today yesterday "$(_apod_mirror_days "$cur")" ;;
        remove) _apod_mirror_offer words "$(_apod_mirror_days "$cur" favorites)" ;;
        restore) _apod_mirror_offer words "$(_apod_mirror_days "$cur" removed)" ;;
        adopt) _apod_mirror_offer directory ;;
        help) _apod_mirror_offer words "$_apod_mirror_commands" ;;
    esac
}

complete -F _apod_mirror apod-mirror
