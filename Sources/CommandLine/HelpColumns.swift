internal import Platform

/// The two columns of a table in the help, names and sentences: `  --since 30d  oldest day to mirror: …`.
///
/// A sentence that is too long for its line goes on below its beginning.
struct HelpColumns {
    /// The characters of a line.
    private static let width = 80
    /// The blanks before and between the columns.
    private static let margin = 2
    /// The blanks before a sentence that begins below its name.
    private static let narrowStart = 6
    /// The widest first column.
    private static let widestStart = 36
    /// The number of characters before the second column.
    private let start: Int

    /// The columns for options; if a name is longer, as few are, its sentence begins below it.
    static let options = HelpColumns(start: 25)

    private init(start: Int) { self.start = start }

    /// The narrowest columns for `names`; if a name is very long, all sentences begin below their names.
    init(beside names: [String]) {
        let needed = 2 * Self.margin + (names.map(\.count).max() ?? 0)
        self.init(start: needed > Self.widestStart ? Self.narrowStart : needed)
    }

    /// A row: the name, and beside it the sentences, each of which begins a line; empty ones are left out.
    ///
    /// If the name is too long for its column, the sentences begin below it. `styledName` is the name as it is shown.
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
