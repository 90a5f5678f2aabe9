internal import CLinux

/// The terminal that standard output goes to.
package struct Terminal: Sendable {
    package let columns: Int
    package let rows: Int

    /// `nil` where standard output goes elsewhere, or to a terminal that does not know its size.
    package init?() {
        let output = Output.standard.rawValue
        let (columns, rows) = (clinux_terminal_columns(output), clinux_terminal_rows(output))
        guard Output.standard.isTerminal, columns > 0, rows > 0 else { return nil }
        self.columns = Int(columns)
        self.rows = Int(rows)
    }

    /// What the terminal says it can do: the numbers of its primary device attributes, see
    /// console_codes(4); 4 is sixel graphics.
    ///
    /// It blocks this thread until the terminal has answered, or `limit` is over.
    package func attributes(limit: Duration = .milliseconds(500)) -> Set<Int> {
        var answer = [CChar](repeating: 0, count: 256)
        let count = unsafe clinux_ask_terminal(
            Output.standard.rawValue, "\u{1b}[c", CChar(UInt8(ascii: "c")), &answer, answer.count,
            Int32(limit / .milliseconds(1)))
        guard count > 0 else { return [] }
        let bytes = answer[..<count].map { UInt8(bitPattern: $0) }
        return Self.attributes(in: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads `ESC [ ? 62 ; 4 c`, whatever was typed before it.
    static func attributes(in answer: String) -> Set<Int> {
        guard let start = answer.firstRange(of: "\u{1b}[?") else { return [] }
        let rest = answer[start.upperBound...]
        guard let end = rest.firstIndex(of: "c") else { return [] }
        return Set(rest[..<end].split(separator: ";").compactMap { Int($0) })
    }
}
