# Completion of apod-mirror(1) for fish. Tests compare it with the help of the program.

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
# service or the user.
function __apod_mirror_days
    set -l words (commandline -opc)
    set -l above $PWD
    while test -n "$above"; and not test -f $above/.apod-mirror/mirror.json
        set above (string replace -r '/[^/]*$' '' -- $above)
    end
    set -l pictures $HOME/Pictures
    set -q XDG_PICTURES_DIR; and set pictures $XDG_PICTURES_DIR
    set -l service (tail --lines=1 /var/cache/apod-mirror/mirrors 2>/dev/null | string replace -r '^\S* ' '')
    set -l root
    for root in "$APOD_MIRROR_ROOT" "$above" "$service" /var/lib/apod-mirror $pictures/APOD
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
    set -l records $root/metadata/*/*/*.json
    string match -r '\d{4}-\d\d-\d\d(?=\.json$)' -- $records
end

complete -c apod-mirror -f
complete -c apod-mirror -n __fish_is_first_token -l version -d 'print the version'
complete -c apod-mirror -l help -d 'print the help'

complete -c apod-mirror -n __fish_is_first_token -a run -d 'sync and watch'
complete -c apod-mirror -n __fish_is_first_token -a status -d 'newest day, missing days, favorites, last error'
complete -c apod-mirror -n __fish_is_first_token -a verify -d 'compare every file with its record'
complete -c apod-mirror -n __fish_is_first_token -a favorites -d 'list and change favorites'
complete -c apod-mirror -n __fish_is_first_token -a show -d 'print a day'
complete -c apod-mirror -n __fish_is_first_token -a search -d 'list the days that contain all words'
complete -c apod-mirror -n __fish_is_first_token -a history -d 'print what NASA changed'
complete -c apod-mirror -n __fish_is_first_token -a adopt -d 'import a directory of APOD pictures'
complete -c apod-mirror -n __fish_is_first_token -a doctor -d 'check this machine, its disk and its network'
complete -c apod-mirror -n __fish_is_first_token -a help -d 'print the help of a command'
complete -c apod-mirror -n __fish_is_first_token -a version -d 'print the version'

complete -c apod-mirror -n '__apod_mirror_is show history verify' -k -a '(__apod_mirror_days | sort -r)'
complete -c apod-mirror -n '__apod_mirror_is show' -a 'latest random'
complete -c apod-mirror -n '__apod_mirror_does add remove' -k -a '(__apod_mirror_days | sort -r)'
complete -c apod-mirror -n '__apod_mirror_does add import' -F
complete -c apod-mirror -n '__apod_mirror_is adopt' -a '(__fish_complete_directories)'
complete -c apod-mirror -n '__apod_mirror_is help' -a 'run status verify favorites show search history adopt doctor help version'
complete -c apod-mirror -n '__apod_mirror_is favorites; and not __apod_mirror_does list add remove restore export import' \
    -a 'list add remove restore export import'

# An option, followed by the commands that have it.
function __apod_mirror_option
    argparse -i 'c/commands=' -- $argv
    complete -c apod-mirror -n "__apod_mirror_is $_flag_commands" $argv
end
__apod_mirror_option -c 'run status verify favorites show search history adopt doctor' -l root -x -a '(__fish_complete_directories)' -d 'directory of the mirror'
__apod_mirror_option -c 'run status verify favorites show search history adopt doctor' -l json -d 'print JSON'
__apod_mirror_option -c run -l once -d 'sync once and exit'
__apod_mirror_option -c 'run favorites adopt' -l dry-run -d 'print what would be done and change nothing'
__apod_mirror_option -c 'run verify history' -l since -x -a '7d 30d 365d all' -d 'a number of days, a date, or all'
__apod_mirror_option -c run -l keep -x -a 'all 365d 20GB' -d 'newest days or bytes to keep'
__apod_mirror_option -c run -l recheck -x -a 'yes no' -d 'request all mirrored days again'
__apod_mirror_option -c 'run verify adopt doctor' -l upstream -x -d 'URL of the feed'
__apod_mirror_option -c 'run verify adopt doctor' -l feed -x -a 'auto basic v1' -d 'format of the feed'
__apod_mirror_option -c 'run adopt' -l jobs -x -d 'number of concurrent downloads'
__apod_mirror_option -c 'run verify adopt' -l pace -x -a '0s 1s 5s' -d 'minimum time between two requests for lists'
__apod_mirror_option -c 'run verify adopt' -l min-free -x -a '0 1GiB 10GiB' -d 'free space to keep on the disk'
__apod_mirror_option -c run -l videos -d 'also download the videos that NASA hosts'
__apod_mirror_option -c run -l thumbnails -x -a 'yes no' -d 'make a thumbnail of each day'
__apod_mirror_option -c run -l sidecars -d 'write XMP sidecars'
__apod_mirror_option -c run -l base-url -x -d 'URL of the mirror on a web server'
__apod_mirror_option -c run -l wallpapers -x -a '0 30 100' -d 'number of links in wallpapers/'
__apod_mirror_option -c run -l wallpaper-size -x -a '1920x1080 2560x1440 3840x2160' -d 'minimum size of a wallpaper'
__apod_mirror_option -c run -l wallpaper-orientation -x -a 'landscape portrait any' -d 'orientation of wallpapers'
__apod_mirror_option -c run -l metrics-file -r -F -d 'write metrics to a file after each sync'
__apod_mirror_option -c 'run verify' -s q -l quiet -d 'print errors only'
__apod_mirror_option -c run -l log-level -x -a 'error warning notice info debug' -d 'minimum log level'
__apod_mirror_option -c status -l metrics -d 'print metrics for Prometheus'
__apod_mirror_option -c status -l missing -d 'list all days that are missing or have no picture'
__apod_mirror_option -c verify -l repair -d 'restore files'
__apod_mirror_option -c verify -l quick -d 'do not read pictures'
__apod_mirror_option -c favorites -l as -x -d 'name of the new link'
__apod_mirror_option -c favorites -l held -d 'all held favorites'
__apod_mirror_option -c favorites -l notify -d 'also show the result as a desktop notification'
__apod_mirror_option -c 'show search' -l open -d 'open the picture in the viewer of the desktop'
__apod_mirror_option -c search -l path -d 'print the paths of the pictures'
__apod_mirror_option -c search -s 0 -l null -d 'end each path with a null byte'
__apod_mirror_option -c 'adopt doctor' -l offline -d 'send no request to NASA'
functions -e __apod_mirror_option
