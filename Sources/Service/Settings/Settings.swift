package import APOD
internal import CommandLine
package import Mirror
package import Platform
package import Transfer
package import Views

/// The settings of `run`: each property is followed by its ``Setting``, except for ``views``, whose settings are in `Settings+Views`.
///
/// A new setting needs a property, a ``Setting`` and an entry in ``all``. “make docs” writes it into the manual, the
/// documents, the default file and the completions.
package struct Settings: Sendable {
    package init(root: String) {
        self.root = root
    }

    /// The settings of an earlier run, whose user typed `typed`; invalid values, as a damaged file may have, are ignored.
    package init(root: String, typed: [String: String]) {
        self.init(root: root)
        for setting in Self.all where setting.option != Self.onNew.option {
            if let text = typed[setting.option.name] { try? setting.read(&self, text) }
        }
    }

    /// The values of settings that nobody typed, from which the defaults in the help are written.
    static let untyped = Settings(root: "")

    /// In the order of the help, in which they are also read: `quiet` comes before the log level, which overrides it.
    package static let all = [
        Self.directory, Self.since, Self.keep, Self.upstream, Self.mirrors, Self.limitRate,
        Self.minimumFree, Self.videos, Self.thumbnails, Self.sidecars, Self.baseURL, Self.v1,
        Self.wallpapers, Self.wallpaperSize, Self.wallpaperOrientation, Self.onNew,
        Self.quiet, Self.logLevel, Self.feed, Self.jobs, Self.pace, Self.recheck,
    ]

    /// The values that the user typed, by the names of the options: `["since": "all"]`.
    ///
    /// `service.json` and `status` show them: they are without secrets, see ``CommandLine/Option/printed(_:)``.
    package var typed: [String: String] = [:]

    // MARK: The mirror

    package var root: String
    /// The value is not read here: the program chooses the mirror before it reads the settings.
    package static let directory = Setting(
        Option(
            "root", value: "DIR",
            default:
                "the mirror that contains the current directory, else the mirror of the service, else ~/Pictures/APOD",
            summary: "directory of the mirror",
            manual: """
                Directory of the mirror. The default is, for `run` alone, `STATE_DIRECTORY`, which systemd sets for \
                the service; else the mirror that contains the current directory; else, if the system service has one, the \
                mirror that it opened last, at first `/var/lib/apod-mirror`; else the mirror that \
                `~/.config/apod-mirror/environment` names for the service of your session; else \
                `XDG_PICTURES_DIR/APOD` or \
                `~/Pictures/APOD`. If the mirror was not named, commands print on standard error which one they use, \
                and `run` refuses the mirror of the service. Root reads the mirror of another user, and does not \
                write it.
                """,
            completion: .directory)
    ) { _, _ in }

    package var since = Since.days(30)
    package static let since = Setting(
        \.since,
        Option(
            "since", value: "30d|DATE|all", default: "\(untyped.since)",
            summary:
                "oldest day to mirror: a number of days, a date (2020-01-01), or all since 1995-06-16",
            manual: """
                The oldest day to mirror: a number of days back from the newest, a date, or all since 1995-06-16. \
                A day that is missing when it gets older than such a number stays wanted. A shorter value deletes nothing.
                """,
            completion: .words(["7d", "30d", "365d", "all"])),
        expects: "a number of days (30d), a date from 1995-06-16 on or “all”",
        Since.init(argument:))

    package var keep = Keep.all
    package static let keep = Setting(
        \.keep,
        Option(
            "keep", value: "all|365d|20GB", default: "\(untyped.keep)",
            summary: "newest days or bytes to keep; older days are removed, but no favorites",
            manual: """
                The newest days, or bytes of pictures and videos, to keep. Older days are deleted, at most a tenth of \
                the mirror in 24 hours; favorites, imported pictures and the newest day never. Their records stay, and \
                they are not downloaded again. A day that becomes a favorite, or that a higher limit keeps, is downloaded again.
                """,
            completion: .words(["all", "365d", "20GB"])),
        expects: "“all”, a number of days (365d) or a size (20GB), more than 0", Keep.init)

    package var upstream: WebURL = "https://science.nasa.gov/wp-json/wp/v2/apod-basic"
    package static let upstream = Setting(
        \.upstream,
        Option(
            "upstream", value: "URL", default: "NASA's", summary: "URL of the feed",
            manual: "URL of the feed, such as an instance of nasa/apod-api."),
        expects: "a web address, http: or https:", webURL)

    /// Mirrors of NASA's old site; `nil` if the user did not set them.
    package var typedMirrors: [ClassicMirror]?
    package static let mirrors = Setting(
        optional: \.typedMirrors,
        Option(
            "mirrors", value: "URL,...|off", default: "https://apod.com/en/ with NASA's feed",
            summary: "sites with copies of APOD's old pages, for lost pictures and missing days",
            manual: """
                Classic mirrors of APOD, for pictures that NASA lost or has only as reduced copies; each is requested at \
                most once a month. Also for new days, while neither NASA's API nor its RSS feed can be used. The value \
                is the URLs of the directories with the web pages `apYYMMDD.html`, separated by commas. A web page must \
                be that of the day, and its picture must have the name or the size that NASA's entry names; where that \
                names neither, the title must be the same. `off` means none. The mirror of University College London, \
                http://www.star.ucl.ac.uk/~apod/apod/, has no TLS: it is used only if it is named here.
                """,
            completion: .words(["https://apod.com/en/", "off"])),
        expects: "“off” or web addresses separated by commas, http: or https:", classicMirrors)

    /// The limit of all transfers together; `nil` if there is none.
    package var bandwidth: Bandwidth?
    package static let limitRate = Setting(
        \.bandwidth,
        Option(
            "limit-rate", value: "500k",
            summary:
                "bytes a second that all downloads together may use, such as 500k or 2m; 0 for no limit",
            manual: """
                Maximum number of bytes that all downloads together receive in a second, as in curl(1): the suffixes \
                k, m and g multiply by 1024; 0 is no limit. `status` and the progress bar show it.
                """,
            completion: .words(["100k", "500k", "2m"])),
        expects: "a number of bytes a second, such as 500k or 2m; 0 for no limit"
    ) { text in
        // 0 is valid and means no limit: it makes no `Bandwidth`, and the property becomes `nil`.
        Bandwidth.bytesPerSecond(in: text).map(Bandwidth.init(bytesPerSecond:))
    }

    /// Bytes of the disk to leave free.
    package var minimumFree = 1 << 30
    package static let minimumFree = Setting(
        \.minimumFree,
        Option(
            "min-free", value: "1GiB", default: "1GiB", summary: "free space to keep on the disk",
            completion: .words(["0", "1GiB", "10GiB"])),
        expects: "a size such as 1GiB, 500MB or 0", size)

    package var downloadsVideos = false
    package static let videos = Setting(
        \.downloadsVideos,
        Option("videos", summary: "also download the videos that NASA hosts"))

    package var views = ViewSettings()

    // MARK: Reports

    /// The command for each new day, which no file of the mirror has, because it may contain passwords.
    package var onNew: String?
    package static let onNew = Setting(
        optional: \.onNew, none: "",
        Option(
            "on-new", value: "COMMAND",
            summary: "shell command to run when a new picture of the day is there",
            manual: """
                Command that `sh` runs after a new newest day is published and `latest.jpg` and the gallery show it: once, \
                and once more with the next sync if it fails. `APOD_LINE` (date and title), `APOD_DATE`, `APOD_TITLE`, \
                `APOD_TEXT`, `APOD_CREDIT`, `APOD_PICTURE` (a JPEG of at most 1,600 pixels), `APOD_ORIGINAL` and \
                `APOD_ARTICLE` are its variables, each of one line below 4 KiB. It is ended after 60 seconds. The log has \
                the beginning of what it prints; no file has the command. Recipes are in `notifications.md`.
                """),
        expects: "a command"
    ) { command in command }

    package var isQuiet = false {
        didSet { if isQuiet { logLevel = .error } }
    }
    package static let quiet = Setting(
        \.isQuiet, Option("quiet", short: "-q", summary: "print errors only"))

    /// The minimum level of messages.
    package var logLevel = Log.Level.info
    package static let logLevel = Setting(
        \.logLevel,
        Option(
            "log-level", value: "LEVEL", default: untyped.logLevel.name,
            summary: "minimum log level: error, warning, notice, info or debug",
            completion: .words(["error", "warning", "notice", "info", "debug"])),
        expects: "error, warning, notice, info or debug", Log.Level.init)

    // MARK: Advanced

    /// The kind of the feed at ``upstream``; `nil` if the path of the URL decides.
    package var typedFeedKind: FeedKind?
    package static let feed = Setting(
        optional: \.typedFeedKind, none: "auto",
        Option(
            "feed", value: "auto|basic|v1", default: "auto",
            summary: "format of the feed; auto decides by the path of the URL",
            completion: .words(["auto", "basic", "v1"]), scope: .advancedSetting),
        expects: "auto, basic or v1"
    ) { FeedKind(rawValue: $0) }

    /// The number of concurrent downloads.
    package var jobs = 4
    package static let jobs = Setting(
        \.jobs,
        Option(
            "jobs", value: "N", default: "\(untyped.jobs)",
            summary: "number of concurrent downloads, 1 to 64",
            manual: """
                Number of concurrent downloads, 1 to 64; up to four that receive less than 10 KiB/s do not count.
                """, scope: .advancedSetting),
        expects: "a number from 1 to 64"
    ) { number($0, 1...64) }

    /// The minimum time between two requests for lists.
    ///
    /// At most 15 minutes, because the watchdog would take the daemon for stalled during a longer pause.
    package var pace = Duration.seconds(1)
    package static let pace = Setting(
        \.pace,
        Option(
            "pace", value: "1s", default: "1s",
            summary: "minimum time between two requests for lists of entries, at most 15m",
            completion: .words(["0s", "1s", "5s"]), scope: .advancedSetting),
        expects: "a time such as 1s or 500ms, at most 15m", Duration.init(pace:))

    package var rechecks = true
    package static let recheck = Setting(
        \.rechecks,
        Option(
            "recheck", value: "yes|no", default: "yes",
            summary: "request all mirrored days again within 30 days, to find edits by NASA",
            manual: """
                Request all mirrored days again, to find edits by NASA of older entries: at most 16 lists a day, so \
                that the whole archive is seen within 30 days. The newest days come with each poll.
                """,
            completion: .words(["yes", "no"]), scope: .advancedSetting))
}
