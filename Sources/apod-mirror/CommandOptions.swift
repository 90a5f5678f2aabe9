import CommandLine

/// The options that are not settings of `run`; ``Command/options`` says which command has which.
///
/// Only ``noProgress`` has an environment variable.
extension Option {
    static let once = Option("once", summary: "sync once and exit")
    static let json = Option("json", summary: "print JSON")
    static let metrics = Option(
        "metrics", summary: "print metrics in the text format of Prometheus")
    static let report = Option(
        "report",
        summary: "print a report for a request for help, without names, paths and addresses",
        manual: """
            Print version, machine, settings and the numbers and times of `status`, for a request for help. It contains no \
            name, path, address and error message: add the message that the request is about.
            """)
    static let missing = Option(
        "missing",
        summary: "list all days that are missing or have no picture, also outside of --since")
    static let offline = Option("offline", summary: "send no request to NASA")
    static let quick = Option("quick", summary: "do not read pictures: compare existence and size")
    static let manifest = Option(
        "manifest", summary: "verify nothing, and list size and SHA-256 of each picture and video",
        manual: """
            Verify nothing, and list path, size and SHA-256 of each picture and video, as the records have them: in the \
            directory of a copy, `sha256sum -c FILE` with that list checks the copy without this program.
            """)
    static let repair = Option(
        "repair", summary: "repair damage from a favorite's copy or from NASA; keep damaged files",
        manual: """
            Move what is damaged to `.apod-mirror/damaged`, and copy it from the pinned picture of a favorite, or \
            download it from NASA. The mirror must not be in use by a daemon, which repairs by itself.
            """)
    static let `as` = Option(
        "as", value: "NAME", default: "the name of the picture", summary: "name of the new link")
    static let dryRun = Option("dry-run", summary: "print what would be done and change nothing")
    /// ``dryRun`` for `run`, with its own summary.
    static let dryRunOfRun = Option(
        "dry-run", summary: "with --once: print what --keep would remove, and change nothing")
    static let held = Option("held", summary: "all held favorites, whose links are gone")
    static let notify = Option("notify", summary: "also show the result as a desktop notification")
    static let path = Option(
        "path", summary: "print the absolute paths of the pictures and videos, one per line")
    static let null = Option(
        "null", short: "-0", summary: "end each path with a null byte, for xargs -0")

    /// Which days `verify` reads; the setting `--since` of `run` says which days are mirrored.
    static let verifiedSince = Option(
        "since", value: "30d|DATE|all", default: "all",
        summary: "only the days since: a number of days, a date, or all",
        completion: .words(["7d", "30d", "365d", "all"]))

    /// `--quiet` of `verify`; it has the name and the variable of the setting of `run`, and its own summary.
    static let noProgress = Option(
        "quiet", short: "-q", summary: "print no progress", scope: .setting)
}
