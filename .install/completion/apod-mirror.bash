# Completion of apod-mirror(1) for bash. Tests compare it with the help of the program.

# A typed path without quotes and backslashes, with the home directory for ~/. Nothing else is expanded.
_apod_mirror_unquoted() {
    local word=$1 plain= quote= next
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

# The days of the mirror that the command would use: of --root, APOD_MIRROR_ROOT, the current directory, the
# service or the user.
_apod_mirror_days() {
    local root above=$PWD service i file
    while [[ -n $above && ! -f $above/.apod-mirror/mirror.json ]]; do above=${above%/*}; done
    service=$(tail --lines=1 /var/cache/apod-mirror/mirrors 2>/dev/null)
    for root in "$APOD_MIRROR_ROOT" "$above" "${service#* }" /var/lib/apod-mirror \
        "${XDG_PICTURES_DIR:-$HOME/Pictures}/APOD"; do
        [[ -n $root && -d $root/metadata ]] && break
    done
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == --root ]] || continue
        root=${COMP_WORDS[i + 1]}
        [[ $root == = ]] && root=${COMP_WORDS[i + 2]}
        root=$(_apod_mirror_unquoted "$root")
    done
    for file in "$root"/metadata/*/*/"$1"*.json; do
        [[ -e $file ]] || continue
        file=${file##*/} file=${file%.json}
        # compgen expands its words: a name such as $(…) would run a command.
        [[ $file =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] && printf '%s\n' "$file"
    done
}

_apod_mirror() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} options= words= action
    local commands='run status verify favorites show search history adopt doctor help version'
    # bash splits --feed=basic into three words.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$cur")
        return
    fi
    case $prev in
        --root)
            compopt -o filenames 2> /dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            return ;;
        --metrics-file)
            compopt -o filenames 2> /dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            return ;;
        --feed) words='auto basic v1' ;;
        --keep) words='all 365d 20GB' ;;
        --thumbnails | --recheck) words='yes no' ;;
        --log-level) words='error warning notice info debug' ;;
        --since) words='7d 30d 365d all' ;;
        --min-free) words='0 1GiB 10GiB' ;;
        --pace) words='0s 1s 5s' ;;
        --wallpapers) words='0 30 100' ;;
        --wallpaper-size) words='1920x1080 2560x1440 3840x2160' ;;
        --wallpaper-orientation) words='landscape portrait any' ;;
        --jobs | --as | --base-url) return ;;
    esac
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi

    case ${COMP_WORDS[1]} in
        run)
            options='--once --dry-run --json --root --since --keep --upstream --min-free --videos --thumbnails
                --sidecars --base-url --wallpapers --wallpaper-size --wallpaper-orientation --metrics-file --quiet
                --log-level --feed --jobs --pace --recheck' ;;
        status) options='--root --json --metrics --missing' ;;
        verify)
            options='--repair --quick --since --root --json --quiet --upstream --feed --pace --min-free'
            words=$(_apod_mirror_days "$cur") ;;
        favorites)
            options='--root --json --as --held --dry-run --notify'
            action=${COMP_WORDS[2]}
            if ((COMP_CWORD == 2)); then
                words='list add remove restore export import'
            elif [[ $action == import ]]; then
                compopt -o filenames 2> /dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            elif [[ $action == add || $action == remove ]]; then
                words=$(_apod_mirror_days "$cur")
            fi ;;
        show)
            options='--root --json --open'
            words="latest random $(_apod_mirror_days "$cur")" ;;
        search) options='--root --json --path --null --open' ;;
        history)
            options='--root --since --json'
            words=$(_apod_mirror_days "$cur") ;;
        adopt)
            options='--root --dry-run --json --offline --upstream --feed --jobs --pace --min-free'
            if [[ $cur != -* ]]; then
                compopt -o filenames 2> /dev/null
                mapfile -t COMPREPLY < <(compgen -d -- "$cur")
                return
            fi ;;
        doctor) options='--root --upstream --feed --offline --json' ;;
        help) words=$commands ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$cur")
    elif [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    fi
}

complete -F _apod_mirror apod-mirror
