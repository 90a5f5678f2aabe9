internal import Glibc

/// Lines for people on standard error: one a condition, never one a file, and the same one not twice an hour.
///
/// Where standard error is the journal each line begins with its priority, `<6>`, see sd-daemon(3);
/// elsewhere it does not.
package struct Log: Sendable {
    /// How much it matters; the numbers are those of syslog(3).
    package enum Level: Int, CaseIterable, Sendable, Comparable {
        case error = 3
        case warning, notice, info
        /// What is of use when something is looked for, and not kept from repeating itself.
        case debug

        package static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }

        /// Reads a name as it is spelled in options.
        package init?(_ name: String) {
            guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = level
        }
    }

    /// Lines that matter less are not written.
    private let threshold: Level
    private let isJournal: Bool
    /// What is foreign in a line is cut where it is quoted: this is for what was forgotten.
    private static let longest = 5000
    private let memory = Monitor(LogDeduplicator())
    private let now: @Sendable () -> ContinuousClock.Instant
    private let output: @Sendable (String) -> Void

    /// - Parameters:
    ///   - threshold: Lines that matter less are not written.
    ///   - environment: The variables that the process was started with.
    ///   - now: The time.
    ///   - output: Takes each line, with its line feed.
    package init(
        threshold: Level = .info, environment: [String: String],
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        output: @escaping @Sendable (String) -> Void = { Output.error.write($0) }
    ) {
        self.threshold = threshold
        isJournal = environment["JOURNAL_STREAM"].map(Output.error.isStream) ?? false
        self.now = now
        self.output = output
    }

    package func error(_ line: String) { write(line, .error) }

    /// - Parameters:
    ///   - line: What is to be said.
    ///   - condition: What it is about, where that is said in other words now and then.
    /// - Returns: Whether it was said, or would have been if it mattered enough; `false` where it was
    ///   said within the hour.
    @discardableResult
    package func warning(_ line: String, about condition: String? = nil) -> Bool {
        write(line, .warning, about: condition)
    }

    /// Says that something changed, each time that it does: the last such line is what is so now.
    package func event(_ line: String) { write(line, .info, isRepeated: true) }

    package func notice(_ line: String) { write(line, .notice) }
    package func info(_ line: String) { write(line, .info) }
    package func debug(_ line: @autoclosure () -> String) {
        if threshold == .debug { write(line(), .debug) }
    }

    @discardableResult
    private func write(
        _ line: String, _ level: Level, about condition: String? = nil, isRepeated: Bool = false
    ) -> Bool {
        guard level <= threshold else { return true }
        // A line feed would end the line and the priority with it, an escape sequence act on the reader.
        let line = line.split(whereSeparator: \.isNewline).joined(separator: " ")
            .excerpt(Self.longest)
        let isNew = isRepeated || memory.withLock { $0.add(condition ?? line, at: now()) }
        guard isNew || level == .debug else { return false }
        output((isJournal ? "<\(level.rawValue)>" : "") + line + "\n")
        return true
    }
}
