internal import Synchronization

/// Writes log lines to standard error.
///
/// A line that repeats is written once an hour at most, except for debug lines and events. When it is written again, it says
/// how often it was left out: `no route to host … repeated 12 times`. If standard error is the journal of systemd, each line
/// begins with its priority, such as `<6>`; see sd-daemon(3).
package final class Log: Sendable {
    /// The priorities of syslog(3).
    package enum Level: Int, CaseIterable, Sendable, Comparable {
        case error = 3
        case warning, notice, info
        /// Lines of this level are written even if they repeat.
        case debug

        /// More severe is less, as in syslog(3).
        package static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }

        /// The word in the setting `--log-level`, such as `error`.
        package var name: String { "\(self)" }

        package init?(_ name: String) {
            guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }
    }

    private let threshold: Level
    private let isJournal: Bool
    /// The most Unicode scalars of a line; callers shorten each foreign text in it to fewer, see ``Swift/String/excerpt``.
    private static let maximumLength = 5000
    private let deduplicator = Mutex(LogDeduplicator())
    private let now: @Sendable () -> ContinuousClock.Instant
    private let output: @Sendable (String) -> Void

    /// Lines below the `threshold` are dropped; `output` gets each line with a line feed at its end.
    package init(
        threshold: Level = .info, environment: [String: String],
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        output: @escaping @Sendable (String) -> Void = { StandardStream.error.write($0) }
    ) {
        self.threshold = threshold
        isJournal = environment["JOURNAL_STREAM"].map(StandardStream.error.isJournal) ?? false
        self.now = now
        self.output = output
    }

    package func error(_ line: String) { write(line, .error) }

    /// Logs a warning, unless the same line was logged within the last hour.
    ///
    /// With a `condition`, such as “no network”, it is left out if any warning about it was logged in that time.
    ///
    /// - Returns: `false` if the line was left out because it repeats.
    @discardableResult
    package func warning(_ line: String, about condition: String? = nil) -> Bool {
        write(line, .warning, about: condition)
    }

    package func notice(_ line: String) { write(line, .notice) }
    package func info(_ line: String) { write(line, .info) }

    /// Logs a change, such as a new favorite, as information, even if the same line was logged before.
    package func event(_ line: String) { write(line, .info, evenIfRepeated: true) }

    package func debug(_ line: @autoclosure () -> String) {
        if threshold == .debug { write(line(), .debug) }
    }

    @discardableResult
    private func write(
        _ line: String, _ level: Level, about condition: String? = nil, evenIfRepeated: Bool = false
    ) -> Bool {
        guard level <= threshold else { return true }
        // A line feed would begin another entry. `excerpt` also replaces characters that control a terminal.
        let line = line.split(whereSeparator: \.isNewline).joined(separator: " ")
            .excerpt(Self.maximumLength)
        let mayRepeat = evenIfRepeated || level == .debug
        let omissions: Int? =
            mayRepeat ? 0 : deduplicator.withLock { $0.add(condition ?? line, at: now()) }
        guard let omissions else { return false }
        let priority = isJournal ? "<\(level.rawValue)>" : ""
        let repetitions = omissions > 0 ? " … repeated \(counted(omissions, "time"))" : ""
        output("\(priority)\(line)\(repetitions)\n")
        return true
    }
}
