import CommandLine
import Service

/// The commands of apod-mirror: their options, operands, help and exit codes; Main.swift runs them.
enum Command: String, CommandProtocol {
    case run, status, verify, favorites, show, search, adopt, doctor, help, version

    static let program = "apod-mirror"

    static let variablePrefix = "APOD_MIRROR_"

    var options: [Option] {
        switch self {
        case .run: [.once, .dryRunOfRun] + Settings.all.map(\.option)
        case .status: [.json, .metrics, .missing, .report] + settings()
        case .verify:
            [.repair, .quick, .manifest, .verifiedSince, .json, .noProgress]
                + settings(
                    Settings.upstream, Settings.mirrors, Settings.feed, Settings.limitRate,
                    Settings.pace, Settings.minimumFree)
        case .show: [.json] + settings()
        case .search: [.json, .path, .null] + settings()
        case .favorites: [.json, .as, .held, .notify] + settings(Settings.minimumFree)
        case .adopt:
            [.dryRun, .json, .offline]
                + settings(
                    Settings.upstream, Settings.mirrors, Settings.feed, Settings.limitRate,
                    Settings.jobs, Settings.pace, Settings.minimumFree)
        case .doctor:
            [.offline, .json]
                + settings(Settings.upstream, Settings.feed, Settings.minimumFree)
        case .help: [.all]
        case .version: []
        }
    }

    var commonOptions: [Option] {
        guard self == .run else { return [] }
        let settings = [
            Settings.directory, Settings.since, Settings.keep, Settings.videos, Settings.sidecars,
            Settings.baseURL, Settings.limitRate, Settings.minimumFree,
        ]
        return [.once] + settings.map(\.option)
    }

    /// Whether `setting` is an option of this command.
    func has(_ setting: Setting) -> Bool {
        options.contains { $0 == setting.option && $0.isSetting }
    }

    /// `--root`, which all these commands have, and `more` settings of `run`.
    private func settings(_ more: Setting...) -> [Option] {
        ([Settings.directory] + more).map(\.option)
    }

    var operands: OperandSyntax {
        switch self {
        case .favorites:
            // The action may be left out; ``FavoritesCommand`` checks the words after it.
            OperandSyntax(
                FavoritesAction.allCases.map(\.rawValue).joined(separator: "|"), "[WORD...]",
                count: 0...Int.max)
        case .show: OperandSyntax("DAY|random")
        case .verify: OperandSyntax("[DAY...]")
        case .search: OperandSyntax("WORD...")
        case .adopt: OperandSyntax("DIR")
        case .help: OperandSyntax("[COMMAND]")
        case .run, .status, .doctor, .version: .none
        }
    }
}

extension Command {
    static let purpose =
        "apod-mirror keeps your own mirror of NASA's Astronomy Picture of the Day as plain files."

    static let notes = """
        “apod-mirror COMMAND --help” lists its options and examples. The settings of “run” are also \
        environment variables: --min-free 2GiB, --min-free=2GiB and APOD_MIRROR_MIN_FREE=2GiB are the \
        same, as are --videos, --videos=yes and APOD_MIRROR_VIDEOS=yes. Options override variables; a \
        misspelled variable is an error. A DAY is a date \
        such as 2026-11-20, 2026-8-2 or ap260820, “today”, “yesterday”, “latest”, the path of a picture, or \
        the address of a page of APOD.
        """

    var summary: String {
        switch self {
        case .run:
            "sync and watch; --once: sync once and exit"
        case .status:
            "print the newest day, missing days with reasons, favorites and the last error"
        case .verify:
            "compare every file with its record; list what is damaged or missing"
        case .favorites: "list, add, remove or restore favorites"
        case .show: "print a day, and the paths of what NASA replaced"
        case .search: "list the days whose title, explanation or credit contains all words"
        case .adopt: "import APOD pictures of another program"
        case .doctor: "check whether this machine, its disk and its network are fit for a mirror"
        case .help: "print this help, or the help of a command"
        case .version: "print the version"
        }
    }

    /// The actions of `favorites`.
    var details: HelpTable? {
        guard self == .favorites else { return nil }
        return HelpTable(
            title: "Actions",
            rows: FavoritesAction.allCases.map { (word: $0.usage, meaning: $0.summary) })
    }

    var examples: [(command: String, effect: String)] {
        Self.exampleLines.compactMap { line in
            let parts = line.split(separator: "  # ").map(String.init)
            return parts[0].contains("apod-mirror \(rawValue)") ? (parts[0], parts[1]) : nil
        }
    }

    /// Examples for all commands, each with its effect as a comment of the shell.
    private static let exampleLines = """
        apod-mirror run --once --since 7d  # sync the last 7 days and exit
        apod-mirror run --since all --videos  # mirror all days and videos, and keep syncing
        APOD_MIRROR_SINCE=all apod-mirror run  # same as --since all
        apod-mirror run --once --keep 20GB --dry-run  # print what --keep would remove
        apod-mirror status  # print the status
        apod-mirror status --json | jq .newest  # print the newest day, for a script
        apod-mirror status > /dev/null || echo incomplete  # test the exit code
        apod-mirror status --report > report.txt  # write a report, to read and send
        apod-mirror verify  # read and check the whole mirror
        apod-mirror verify --repair  # repair what is damaged, from NASA if necessary
        apod-mirror verify --quick  # compare existence and sizes only
        apod-mirror verify 2026-11-20  # check one day
        apod-mirror verify --manifest > ~/apod.sha256  # for sha256sum -c ~/apod.sha256 in a copy
        apod-mirror favorites list  # list favorites and unrecognized items
        apod-mirror favorites add 2026-11-20 --as "the Crab"  # add a day, name the link
        apod-mirror favorites add -- *.jpg  # add pictures by their files, to their mirror
        apod-mirror show latest  # show the newest day
        apod-mirror show 1996-06-03 --json  # print the record of a day
        apod-mirror show random  # show some day
        apod-mirror search crab nebula  # list the days that contain both words
        apod-mirror search saturn --path --null | xargs -0 ls -l  # use their pictures
        apod-mirror adopt ~/wallpapers --dry-run  # print what would be imported
        apod-mirror adopt ~/wallpapers  # import it; ~/wallpapers stays as it is
        apod-mirror doctor  # check before the first sync, or find a problem
        apod-mirror doctor --offline --json  # check without the network and print JSON
        apod-mirror help run  # same as apod-mirror run --help
        apod-mirror help run --all  # all its options, with their variables
        """.split(separator: "\n")

    /// The exit codes that the help lists.
    ///
    /// Only `run`, `adopt` and `verify --repair` can end with ``ExitCode/inUse``: other commands leave their work to
    /// the process that has the mirror.
    var exitCodes: [ExitCode] {
        let own: [ExitCode] =
            switch self {
            case .run: [.failure, .usage, .missing, .noMirror, .inUse, .noSpace, .unreachable]
            case .status:
                [
                    .failure, .usage, .missing, .noMirror, .noSpace, .unreachable, .damaged, .stale,
                ]
            case .favorites: [.failure, .usage, .noMirror, .noSpace]
            case .verify: [.failure, .usage, .missing, .noMirror, .inUse, .noSpace, .damaged]
            case .show: [.failure, .usage, .missing, .noMirror, .damaged]
            case .search: [.failure, .usage, .noMirror]
            case .adopt: [.failure, .usage, .noMirror, .inUse, .noSpace, .unreachable]
            case .doctor: [.failure, .usage]
            case .help, .version: [.usage]
            }
        return [.done] + own + (self == .run ? [.hungUp, .interrupted, .terminated] : [])
    }

    func meaning(of code: ExitCode) -> String {
        switch (self, code) {
        case (.doctor, .done): "no problem was found"
        case (.doctor, .failure): "a problem was found"
        case (.status, .failure): "another failure, or the service of the mirror has failed"
        case (.run, .missing): "some days or thumbnails are missing (--once only)"
        case (.run, .hungUp), (.run, .interrupted), (.run, .terminated):
            code.meaning + " (--once only)"
        case (.show, .missing): "the day is not in the mirror"
        case (.show, .damaged): "the record of the day is damaged"
        case (.search, .failure): "no day was found, or another failure"
        case (.verify, .done): "nothing is damaged, or everything is repaired"
        case (.verify, .missing): "a day that is named, or in --since, is not in the mirror"
        case (.verify, .inUse): code.meaning + " (--repair only)"
        case (.adopt, .failure): "a file or a directory could not be read"
        case (.adopt, .unreachable): "imported, but NASA unreachable: the next run records the days"
        default: code.meaning
        }
    }
}
