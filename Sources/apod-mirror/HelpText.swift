/// What `apod-mirror help` prints.
enum HelpText {
    static let version = "0.1.0"

    static var all: String {
        var text = """
            apod-mirror keeps your own mirror of NASA's Astronomy Picture of the Day as plain files.


            """
        for verb in Verb.allCases {
            text += "  apod-mirror \(padded(verb.rawValue, 10)) \(verb.summary)\n"
        }
        return text + "\n" + options + "\n" + exitCodes
    }

    static func of(_ verb: Verb) -> String {
        "\(verb.usage)\n\n\(verb.summary)\n\n\(options)"
    }

    private static var options: String {
        """
        Options, each of them also a variable (APOD_MIRROR_ROOT and so on):
          --root DIR            where the mirror is ($STATE_DIRECTORY, else $XDG_PICTURES_DIR/APOD,
                                else ~/Pictures/APOD)
          --since 30d|DATE|all  how far back: days before NASA's newest, a date, or to 1995-06-16 (30d)
          --upstream URL        the feed (NASA's)
          --feed auto|basic|v1  its shape (auto: told by what comes back)
          --jobs N              pictures under way at once (4)
          --pace 1s             time between two requests for lists (1s)
          --min-free 1GiB       room on the disk that is never used (1GiB)
          --videos              keep the videos that NASA hosts, too
          --no-picture          “show” draws no picture
          -q, --quiet           only errors
        Of one call only:
          --once                stop when all is here that can be had
          --new                 start a new mirror where the disk of one is away
          --json                for programs
          --as NAME             what the link of a favorite is to be called
          --dry-run             only tell what would be done
          --notify              tell what was done by a notice on the desktop, too

        """
    }

    private static let exitCodes = """
        Exit codes: 0 done, 1 failure, 2 wrong usage, 3 some days are missing, 4 no mirror there or its
        disk is away, 5 in use by another process, 6 disk full, 7 NASA out of reach, 9 the newest day is
        older than two days.

        """

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
