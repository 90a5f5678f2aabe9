# Completion of apod-mirror(1) for fish.

# Whether the command on the line is one of the arguments.
function __apod_mirror_is
    set -l words (commandline -opc)
    contains -- "$words[2]" $argv
end

# Whether an action of favorites, one of the arguments, is on the line.
function __apod_mirror_does
    set -l words (commandline -opc)
    __apod_mirror_is favorites; and contains -- "$words[3]" $argv
end

# The days of the mirror that the command would use: of --root, APOD_MIRROR_ROOT, the current directory, the
# service or the user. The argument: “favorites”, or “removed” with those whose links are gone.
function __apod_mirror_days
    set -l words (commandline -opc)
    set -l above $PWD
    while test -n "$above"; and not test -f $above/.apod-mirror/mirror.json
        set above (string replace -r '/[^/]*$' '' -- $above)
    end
    set -l pictures $HOME/Pictures
    set -q XDG_PICTURES_DIR; and set pictures $XDG_PICTURES_DIR
    set -l service (tail --lines=1 /var/cache/apod-mirror/mirrors 2>/dev/null | string replace -r '^\S* ' '')
    set -l config $HOME/.config
    set -q XDG_CONFIG_HOME; and set config $XDG_CONFIG_HOME
    set -l user (sed --quiet 's/^APOD_MIRROR_ROOT=//p' $config/apod-mirror/environment 2>/dev/null)
    set -l root
    for root in "$APOD_MIRROR_ROOT" "$above" "$service" /var/lib/apod-mirror "$user" $pictures/APOD
        test -n "$root"; and test -d $root/metadata; and break
    end
    for index in (seq (count $words))
        switch $words[$index]
            case --root
                set root $words[(math $index + 1)]
            case '--root=*'
                set root (string replace -- --root= '' $words[$index])
        end
    end
    set root (string replace -r '^~/' "$HOME/" -- $root)
    set -l favorites $root/.apod-mirror/favorites/*.json
    set -l records $favorites
    switch "$argv[1]"
        case removed
            set records $root/.apod-mirror/trash/*/*.json
            test -n "$favorites"; and set -a records (grep -ls '"held": true' $favorites)
        case ''
            set records $root/metadata/*/*/*.json
    end
    string match -r '\d{4}-\d\d-\d\d(?=(?: favorite)?\.json$)' -- $records
end

complete -c apod-mirror -f
complete -c apod-mirror -n __fish_is_first_token -l version -d 'print the version'
complete -c apod-mirror -l help -d 'print the help'

complete -c apod-mirror -n '__apod_mirror_is show verify' -k -a '(__apod_mirror_days | sort -r)'
complete -c apod-mirror -n '__apod_mirror_is show verify' -a 'latest today yesterday'
complete -c apod-mirror -n '__apod_mirror_is show' -a random
complete -c apod-mirror -n '__apod_mirror_does add' -k -a '(__apod_mirror_days | sort -r)'
complete -c apod-mirror -n '__apod_mirror_does add' -a 'latest today yesterday'
complete -c apod-mirror -n '__apod_mirror_does remove' -k -a '(__apod_mirror_days favorites | sort -r)'
complete -c apod-mirror -n '__apod_mirror_does restore' -k -a '(__apod_mirror_days removed | sort -r)'
complete -c apod-mirror -n '__apod_mirror_does add' -F
complete -c apod-mirror -n '__apod_mirror_is adopt' -a '(__fish_complete_directories)'
complete -c apod-mirror -n '__apod_mirror_is favorites; and not __apod_mirror_does list add remove restore' \
    -a 'list add remove restore'

# Written by “make docs” from here.
complete -c apod-mirror -n __fish_is_first_token -a run -d 'sync and watch; --once: sync once and exit'
complete -c apod-mirror -n __fish_is_first_token -a status -d 'print the newest day, missing days with reasons, favorites and the last error'
complete -c apod-mirror -n __fish_is_first_token -a verify -d 'compare every file with its record; list what is damaged or missing'
complete -c apod-mirror -n __fish_is_first_token -a favorites -d 'list, add, remove or restore favorites'
complete -c apod-mirror -n __fish_is_first_token -a show -d 'print a day, and the paths of what NASA replaced'
complete -c apod-mirror -n __fish_is_first_token -a search -d 'list the days whose title, explanation or credit contains all words'
complete -c apod-mirror -n __fish_is_first_token -a adopt -d 'import APOD pictures of another program'
complete -c apod-mirror -n __fish_is_first_token -a doctor -d 'check whether this machine, its disk and its network are fit for a mirror'
complete -c apod-mirror -n __fish_is_first_token -a help -d 'print this help, or the help of a command'
complete -c apod-mirror -n __fish_is_first_token -a version -d 'print the version'
complete -c apod-mirror -n '__apod_mirror_is help' -a 'run status verify favorites show search adopt doctor help version'

complete -c apod-mirror -n '__apod_mirror_is run' -l once -d 'sync once and exit'
complete -c apod-mirror -n '__apod_mirror_is run adopt' -l dry-run -d 'with --once: print what --keep would remove, and change nothing'
complete -c apod-mirror -n '__apod_mirror_is run status verify favorites show search adopt doctor' -l root -x -a '(__fish_complete_directories)' -d 'directory of the mirror'
complete -c apod-mirror -n '__apod_mirror_is run verify' -l since -x -a '7d 30d 365d all' -d 'oldest day to mirror: a number of days, a date (2020-01-01), or all since 1995-06-16'
complete -c apod-mirror -n '__apod_mirror_is run' -l keep -x -a 'all 365d 20GB' -d 'newest days or bytes to keep; older days are removed, but no favorites'
complete -c apod-mirror -n '__apod_mirror_is run verify adopt doctor' -l upstream -x -d 'URL of the feed'
complete -c apod-mirror -n '__apod_mirror_is run verify adopt' -l mirrors -x -a 'https://apod.com/en/ off' -d 'sites with copies of APOD'\''s old pages, for lost pictures and missing days'
complete -c apod-mirror -n '__apod_mirror_is run verify adopt' -l limit-rate -x -a '100k 500k 2m' -d 'bytes a second that all downloads together may use, such as 500k or 2m; 0 for no limit'
complete -c apod-mirror -n '__apod_mirror_is run verify favorites adopt doctor' -l min-free -x -a '0 1GiB 10GiB' -d 'free space to keep on the disk'
complete -c apod-mirror -n '__apod_mirror_is run' -l videos -d 'also download the videos that NASA hosts'
complete -c apod-mirror -n '__apod_mirror_is run' -l thumbnails -x -a 'yes no' -d 'make a thumbnail of each day'
complete -c apod-mirror -n '__apod_mirror_is run' -l sidecars -d 'write title, credit and rating beside each picture, as XMP'
complete -c apod-mirror -n '__apod_mirror_is run' -l base-url -x -d 'URL of the mirror'\''s directory on a web server, for feeds and v1/'
complete -c apod-mirror -n '__apod_mirror_is run' -l v1 -x -a '0 400 all' -d 'number of newest days with a file in v1/, in the format of NASA'\''s old API'
complete -c apod-mirror -n '__apod_mirror_is run' -l wallpapers -x -a '0 30 100' -d 'links in wallpapers/ to the newest pictures that fit; 0 for no links'
complete -c apod-mirror -n '__apod_mirror_is run' -l wallpaper-size -x -a '1920x1080 2560x1440 3840x2160' -d 'minimum long and short side of a wallpaper, in pixels'
complete -c apod-mirror -n '__apod_mirror_is run' -l wallpaper-orientation -x -a 'landscape portrait any' -d 'orientation of wallpapers'
complete -c apod-mirror -n '__apod_mirror_is run' -l on-new -x -d 'shell command to run when a new picture of the day is there'
complete -c apod-mirror -n '__apod_mirror_is run verify' -s q -l quiet -d 'print errors only'
complete -c apod-mirror -n '__apod_mirror_is run' -l log-level -x -a 'error warning notice info debug' -d 'minimum log level: error, warning, notice, info or debug'
complete -c apod-mirror -n '__apod_mirror_is run verify adopt doctor' -l feed -x -a 'auto basic v1' -d 'format of the feed; auto decides by the path of the URL'
complete -c apod-mirror -n '__apod_mirror_is run adopt' -l jobs -x -d 'number of concurrent downloads, 1 to 64'
complete -c apod-mirror -n '__apod_mirror_is run verify adopt' -l pace -x -a '0s 1s 5s' -d 'minimum time between two requests for lists of entries, at most 15m'
complete -c apod-mirror -n '__apod_mirror_is run' -l recheck -x -a 'yes no' -d 'request all mirrored days again within 30 days, to find edits by NASA'
complete -c apod-mirror -n '__apod_mirror_is status verify favorites show search adopt doctor' -l json -d 'print JSON'
complete -c apod-mirror -n '__apod_mirror_is status' -l metrics -d 'print metrics in the text format of Prometheus'
complete -c apod-mirror -n '__apod_mirror_is status' -l missing -d 'list all days that are missing or have no picture, also outside of --since'
complete -c apod-mirror -n '__apod_mirror_is status' -l report -d 'print a report for a request for help, without names, paths and addresses'
complete -c apod-mirror -n '__apod_mirror_is verify' -l repair -d 'repair damage from a favorite'\''s copy or from NASA; keep damaged files'
complete -c apod-mirror -n '__apod_mirror_is verify' -l quick -d 'do not read pictures: compare existence and size'
complete -c apod-mirror -n '__apod_mirror_is verify' -l manifest -d 'verify nothing, and list size and SHA-256 of each picture and video'
complete -c apod-mirror -n '__apod_mirror_is favorites' -l as -x -d 'name of the new link'
complete -c apod-mirror -n '__apod_mirror_is favorites' -l held -d 'all held favorites, whose links are gone'
complete -c apod-mirror -n '__apod_mirror_is favorites' -l notify -d 'also show the result as a desktop notification'
complete -c apod-mirror -n '__apod_mirror_is search' -l path -d 'print the absolute paths of the pictures and videos, one per line'
complete -c apod-mirror -n '__apod_mirror_is search' -s 0 -l null -d 'end each path with a null byte, for xargs -0'
complete -c apod-mirror -n '__apod_mirror_is adopt doctor' -l offline -d 'send no request to NASA'
complete -c apod-mirror -n '__apod_mirror_is help' -l all -d 'also the options of a command that few people need, its variables and exit codes'
# Written by “make docs” to here.
