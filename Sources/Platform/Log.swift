internal import Glibc

/// Lines for people on standard error: one a condition, never one a file.
///
/// Under systemd each line begins with its priority, `<6>`, see sd-daemon(3); on a terminal it does not.
package struct Log: Sendable {
    /// How much it matters; the numbers are those of syslog(3).
    package enum Level: Int, Sendable, Comparable {
        case error = 3, warning = 4, notice = 5, info = 6, debug = 7

        package static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// Lines that matter less are not written.
    private let threshold: Level
    private let isJournal: Bool

    package init(threshold: Level = .info, environment: [String: String]) {
        self.threshold = threshold
        isJournal = environment["JOURNAL_STREAM"] != nil
    }

    package func error(_ line: String) { write(line, .error) }
    package func warning(_ line: String) { write(line, .warning) }
    package func notice(_ line: String) { write(line, .notice) }
    package func info(_ line: String) { write(line, .info) }

    private func write(_ line: String, _ level: Level) {
        guard level <= threshold else { return }
        // A line feed would end the line and the priority with it.
        let line = line.split(whereSeparator: \.isNewline).joined(separator: " ")
        Output.error.write((isJournal ? "<\(level.rawValue)>" : "") + line + "\n")
    }
}
