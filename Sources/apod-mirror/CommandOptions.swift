import CommandLine

/// The options that are not settings of `run`: each belongs to one command or a few, see ``Command/options``.
///
/// They have no environment variable, except ``noProgress``.
extension Option {
    static let once = Option("once", "sync once and exit")
    static let json = Option("json", "print JSON")
    static let metrics = Option("metrics", "print metrics in the text format of Prometheus")
    static let report = Option(
        "report", "print a report for a request for help, without names, paths and addresses",
        manual: """
            Print version, machine, settings and the numbers and times of `status`, for a request for help. It contains no \
            name, path, address and error message: add the message that the request is about.
            """)
    static let missing = Option(
        "missing", "list all days that are missing or have no picture, also outside of --since")
    static let offline = Option("offline", "send no request to NASA")
    static let quick = Option(
        "quick", "do not read pictures: compare existence and size")
    static let manifest = Option(
        "manifest", "verify nothing, and list size and SHA-256 of each picture and video",
        manual: """
            Verify nothing, and list path, size and SHA-256 of each picture and video, as the records have them: in the \
            directory of a copy, `sha256sum -c FILE` with that list checks the copy without this program.
            """)
    static let repair = Option(
        "repair", "repair damage from a favorite's copy or from NASA; keep damaged files",
        manual: """
            Move what is damaged to `.apod-mirror/damaged`, and copy it from the pinned picture of a favorite, or \
            download it from NASA. The mirror must not be in use by a daemon, which repairs by itself.
            """)
    static let `as` = Option(
        "as", value: "NAME", default: "the name of the picture", "name of the new link")
    static let dryRun = Option("dry-run", "print what would be done and change nothing")
    /// ``dryRun`` of `run`, where it requires `--once`.
    static let dryRunOfRun = Option(
        "dry-run", "with --once: print what --keep would remove, and change nothing")
    static let held = Option("held", "all held favorites, whose links are gone")
    static let notify = Option("notify", "also show the result as a desktop notification")
    static let path = Option(
        "path", "print the absolute paths of the pictures and videos, one per line")
    static let null = Option("null", short: "-0", "end each path with a null byte, for xargs -0")

    /// Of `verify`: which days it verifies, unlike the setting of this name, which says what is mirrored.
    static let verifiedSince = Option(
        "since", value: "30d|DATE|all", default: "all",
        "only the days since: a number of days, a date, or all", completion: recentDays)

    /// The setting `--quiet` of `run`, whose variable counts here, too, with what it means for `verify`.
    static let noProgress = Option("quiet", short: "-q", "print no progress", scope: .setting)

    private static let recentDays = Option.Completion.words(["7d", "30d", "365d", "all"])
}
