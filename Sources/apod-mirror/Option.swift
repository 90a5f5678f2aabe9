import APOD
import CommandLine

/// The options of apod-mirror.
enum Option: String, OptionProtocol {
    case root, since, keep, upstream
    case minimumFree = "min-free"
    case videos, thumbnails, sidecars
    case baseURL = "base-url"
    case wallpapers
    case wallpaperSize = "wallpaper-size"
    case wallpaperOrientation = "wallpaper-orientation"
    case metricsFile = "metrics-file"
    case quiet
    case logLevel = "log-level"
    case feed, jobs, pace, recheck
    case once, json, metrics, missing, offline, quick, repair
    case `as`
    case dryRun = "dry-run"
    case notify, open, path, null, held

    static let variablePrefix = "APOD_MIRROR_"
    static let otherVariables = [APIKey.variable]
    static let formerVariables = ["FEEDS", "HINT", "LATEST", "NEW"].map { variablePrefix + $0 }

    /// The settings are those of `run`.
    var isSetting: Bool { Command.settings.contains(self) }

    var isAdvanced: Bool { [.feed, .jobs, .pace, .recheck].contains(self) }

    var shortSpelling: String? {
        switch self {
        case .quiet: "-q"
        case .null: "-0"
        default: nil
        }
    }
}

/// Texts for the help.
extension Option {
    /// The name of the value and the default value, if any; `nil` for a switch.
    private var value: (name: String, defaultValue: String?)? {
        switch self {
        case .root:
            (
                "DIR",
                "the mirror around the current directory, else that of the service, else ~/Pictures/APOD"
            )
        case .since: ("30d|DATE|all", "30d")
        case .keep: ("all|365d|20GB", "all")
        case .upstream: ("URL", "NASA's")
        case .baseURL: ("URL", "none; addresses in feeds are relative")
        case .feed: ((["auto"] + FeedKind.allCases.map(\.rawValue)).joined(separator: "|"), "auto")
        case .logLevel: ("LEVEL", "info")
        case .jobs: ("N", "4")
        case .pace: ("1s", "1s")
        case .minimumFree: ("1GiB", "1GiB")
        case .thumbnails, .recheck: ("yes|no", "yes")
        case .wallpapers: ("30", "30")
        case .wallpaperSize: ("1920x1080", "1920x1080")
        case .wallpaperOrientation: ("landscape|portrait|any", "landscape")
        case .metricsFile: ("FILE", nil)
        case .as: ("NAME", "the name of the picture")
        default: nil
        }
    }

    var placeholder: String? { value?.name }
    var defaultValue: String? { value?.defaultValue }

    var summary: String {
        switch self {
        case .root: "directory of the mirror"
        case .since: "oldest day to mirror: a number of days, a date, or all since 1995-06-16"
        case .keep: "newest days or bytes to keep; older days are removed, favorites never"
        case .recheck: "request all mirrored days again within 30 days, to find edits by NASA"
        case .upstream: "URL of the feed"
        case .feed: "format of the feed; auto decides by the path of the URL"
        case .jobs: "number of concurrent downloads, 1 to 64"
        case .pace: "minimum time between two requests for lists of entries, at most 15m"
        case .minimumFree: "free space to keep on the disk"
        case .videos: "also download the videos that NASA hosts"
        case .thumbnails: "make a thumbnail of each day"
        case .sidecars: "write title, credit and rating beside each picture, as XMP"
        case .wallpapers: "number of links in wallpapers/ to the newest that fit; 0 for none"
        case .wallpaperSize: "minimum size of a wallpaper in pixels, in either orientation"
        case .wallpaperOrientation: "orientation of wallpapers"
        case .baseURL: "URL of the mirror's directory on a web server, for the feed"
        case .metricsFile: "write Prometheus metrics to FILE after each sync"
        case .quiet: "print errors only"
        case .logLevel: "minimum log level: error, warning, notice, info or debug"
        case .once: "sync once and exit"
        case .json: "print JSON"
        case .metrics: "print metrics in the text format of Prometheus"
        case .missing: "list all days that are missing or have no picture"
        case .repair: "repair damage from the mirror's own copies or from NASA; keep damaged files"
        case .quick: "do not read pictures: compare existence, size and time"
        case .offline: "send no request to NASA"
        case .as: "name of the new link"
        case .dryRun: "print what would be done and change nothing"
        case .open: "open the picture in the viewer of the desktop, the first of several"
        case .path: "print the paths of the pictures, without days that have none"
        case .null: "end each path with a null byte, for xargs -0"
        case .held: "all held favorites, whose links are gone"
        case .notify: "also show the result as a desktop notification"
        }
    }
}
