import Platform

/// What `apod-mirror help` and `--help` print.
struct HelpText {
    private let paint: Paint

    init(_ paint: Paint) {
        self.paint = paint
    }

    /// All verbs, and what is common to them.
    var all: TerminalText {
        let verbs = Verb.allCases.map { verb -> TerminalText in
            "  \(paint("apod-mirror \(Self.padded(verb.rawValue, 10))", .bold)) \(verb.summary)\n"
        }
        return """
            apod-mirror keeps your own mirror of NASA's Astronomy Picture of the Day as plain files.

            \(verbs.joined())
            “apod-mirror COMMAND --help” has its options and examples. Each option may come from the
            environment: --min-free 2GiB, --min-free=2GiB and APOD_MIRROR_MIN_FREE=2GiB are the same, a switch
            such as APOD_MIRROR_VIDEOS is “yes” or “no”, and what is on the command line counts more.
            APOD_MIRROR_API_KEY is for feeds of the v1 shape that want a key.

            \(exitCodes)
            """
    }

    /// One verb: its options with variables and defaults, examples, exit codes.
    func text(of verb: Verb) -> TerminalText {
        var synopsis = ["apod-mirror", verb.rawValue]
        if !verb.options.isEmpty { synopsis.append("[OPTION]...") }
        var parts: [TerminalText] = [
            "\((synopsis + verb.words).joined(separator: " "))\n\n\(verb.summary)\n"
        ]
        if verb == .favorites { parts.append("\(heading("Actions:"))\(Self.actions)") }
        if !verb.options.isEmpty {
            parts.append("\(heading("Options:"))\(verb.options.map(Self.line).joined())")
        }
        if !verb.examples.isEmpty {
            let width = verb.examples.map(\.command.count).max() ?? 0
            let lines = verb.examples.map { "  \(Self.padded($0, width))  \($1)\n" }
            parts.append("\(heading("Examples:"))\(lines.joined())")
        }
        let codes = verb.exitCodes.map { "  \($0.rawValue)  \(verb.meaning(of: $0))\n" }
        parts.append("\(heading("Exit codes:"))\(codes.joined())")
        return parts.joined(separator: "\n")
    }

    private static func line(of option: Option) -> String {
        let left =
            option.spellings.joined(separator: ", ")
            + (option.placeholder.map { " \($0)" } ?? "")
        let usual = option.usual.map { "; default: \($0)" } ?? ""
        let indent = String(repeating: " ", count: 25)
        return "  \(padded(left, 22)) \(option.summary)\n\(indent)\(option.variable)\(usual)\n"
    }

    private static var actions: String {
        let width = FavoritesAction.allCases.map(\.usage.count).max() ?? 0
        return FavoritesAction.allCases.map { "  \(padded($0.usage, width))  \($0.summary)\n" }
            .joined()
    }

    private func heading(_ text: String) -> TerminalText { "\(paint(text, .bold))\n" }

    private var exitCodes: String {
        let codes = ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }
        return Self.wrapped("Exit codes: \(codes.joined(separator: "; ")).", to: 100)
    }

    private static func wrapped(_ text: String, to width: Int) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            if let last = lines.last, !last.isEmpty, last.count + word.count >= width {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] += (lines.last == "" ? "" : " ") + word
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
