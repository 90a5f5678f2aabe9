internal import Platform

/// The two columns of a table in the help, names and sentences: `  --since 30d  oldest day to mirror: …`.
///
/// A sentence that is too long for its line goes on below its beginning.
struct HelpColumns {
    /// The maximum number of characters in a line.
    private static let width = 80
    /// The number of blanks before the first column, and between the columns.
    private static let margin = 2
    /// The ``start`` of the second column if all sentences begin below their names.
    private static let narrowStart = 6
    /// The largest ``start`` that leaves enough room for sentences beside names.
    private static let widestStart = 36
    /// The number of characters of a line before the second column.
    private let start: Int

    /// The columns for options; the sentences of the few longer names begin below them.
    static let options = HelpColumns(start: 25)

    private init(start: Int) { self.start = start }

    /// The narrowest columns for `names`; if a name is very long, all sentences begin below their names.
    init(beside names: [String]) {
        let needed = 2 * Self.margin + (names.map(\.count).max() ?? 0)
        self.init(start: needed > Self.widestStart ? Self.narrowStart : needed)
    }

    /// Returns a row: the name, and beside it the sentences, each on a new line; empty sentences are left out.
    ///
    /// If the name is too long for its column, the sentences begin below it. `styledName` is the name with its style.
    func row(
        _ name: String, shownAs styledName: TerminalText? = nil, _ sentences: [String]
    ) -> TerminalText {
        let beginning = String(repeating: " ", count: start)
        let usedWidth = Self.margin + name.count
        let isTooLong = usedWidth + Self.margin > start
        let gap = isTooLong ? "\n\(beginning)" : String(beginning.dropFirst(usedWidth))
        let lines = sentences.filter { !$0.isEmpty }.map { Self.wrapped($0, indent: start) }
        return "  \(styledName ?? "\(name)")\(gap)\(lines.joined(separator: "\n\(beginning)"))\n"
    }

    /// Wraps `text` to the width; each line but the first begins with `indent` blanks.
    static func wrapped(_ text: String, indent: Int = 0) -> String {
        text.wrapped(to: width - indent)
            .joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}

extension StringProtocol {
    /// Breaks the text at blanks into lines of at most `width` characters; a longer word has its own line.
    package func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
