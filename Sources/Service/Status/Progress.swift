package import FoundationEssentials
package import Mirror
package import Platform
package import Transfer

/// How far a sync is, for ``ProgressDisplay``, ``StatusLine`` and ``LastRun``.
package struct Progress: Hashable, Codable, Sendable {
    package let start: Date
    /// The number of days that are requested.
    package private(set) var planned = 0
    /// The planned days that ended with a picture or a video, though another of their files may be missing.
    private(set) var done = 0
    /// The planned days that ended without a picture, for any reason.
    private(set) var failed = 0

    /// The planned days that ended, with any outcome.
    package var ended: Int { done + failed }

    /// The planned days that have not ended.
    var left: Int { max(planned - ended, 0) }

    /// The mean number of days that ended in a second; `nil` during the first second, and before the first day.
    package func rate(at now: Date) -> Double? {
        let seconds = now.timeIntervalSince(start)
        return ended > 0 && seconds > 1 ? Double(ended) / seconds : nil
    }

    mutating func record(_ event: SyncEvent) {
        switch event {
        case .planned(let days): planned += days
        case .problem, .notice: break
        case .day(let outcome):
            switch outcome.result {
            case .downloaded, .edited, .partial, .unchanged: done += 1
            case .cancelled, .incomplete, .missing, .noSpace: failed += 1
            // Days that --keep removes are not among the planned ones.
            case .removed: break
            }
        }
    }

    func line(
        bytes: Int, elapsed: Duration, limit: Bandwidth? = nil, width: Int?
    ) -> String {
        ProgressLine(finished: ended, planned: planned).text(
            amount: "\(done) of \(counted(planned, "day"))", bytes: bytes, elapsed: elapsed,
            limit: limit, problems: failed > 0 ? "\(failed) without a picture" : nil, width: width)
    }
}

extension Progress? {
    /// Records an event of the running sync; if there is no progress yet, it starts now.
    mutating func record(_ event: SyncEvent) {
        var progress = self ?? Progress(start: Date())
        progress.record(event)
        self = progress
    }

    /// Records the end of a sync; if it left downloads that go on, the progress of these begins.
    mutating func record(_ summary: SyncSummary) {
        self = summary.underWay > 0 ? Progress(start: Date()) : nil
        self?.record(.planned(days: summary.underWay))
    }
}

/// A line of progress: `[####----] 12 of 24 days  31.2 MB  1.1 MB/s  25 s left  1 without a picture`.
package struct ProgressLine {
    /// The number of days or bytes that are finished.
    private let finished: Int
    /// The number of all days or bytes.
    private let planned: Int

    package init(finished: Int, planned: Int) {
        self.finished = finished
        self.planned = planned
    }

    /// The line after the time `elapsed`; the rate is the mean since the start.
    ///
    /// The line is cut to less than `width`, the columns of the terminal. If `width` is `nil`, for a file, the line has any
    /// length and no bar.
    package func text(
        amount: String, bytes: Int, elapsed: Duration, limit: Bandwidth? = nil, problems: String?,
        width: Int?
    ) -> String {
        let rate = ByteCount(Int(Double(bytes) / max(elapsed / .seconds(1), 0.001)))
        let limit = limit.map { " (limit \($0))" } ?? ""
        let parts = [
            amount, "\(ByteCount(bytes))", "\(rate)/s\(limit)", timeLeft(after: elapsed), problems,
        ]
        let text = parts.compactMap(\.self).joined(separator: "  ")
        guard let width else { return text }
        // A terminal may wrap a line that fills the last column.
        let room = max(width - 1, 0)
        return String((bar(in: room - text.count) + text).prefix(room))
    }

    /// `2 h 5 min left`, if everything takes as long as before; `nil` if it is not known yet.
    private func timeLeft(after elapsed: Duration) -> String? {
        let seconds = elapsed / .seconds(1)
        guard finished > 0, finished < planned, seconds > 1 else { return nil }
        // The limit keeps `Int` from overflowing: a damaged record may have any number of bytes.
        let left = Int(min(seconds / Double(finished) * Double(planned - finished), 1e9))
        return switch left {
        case ..<60: "\(left) s left"
        case ..<3600: "\(left / 60) min left"
        default: "\(left / 3600) h \(left / 60 % 60) min left"
        }
    }

    /// `[####----] ` in at most `room` columns; empty if there is no room for ten steps.
    private func bar(in room: Int) -> String {
        let frame = "[] ".count
        let steps = min(room - frame, 40)
        guard steps >= 10 else { return "" }
        let share = planned == 0 ? 0 : min(Double(finished) / Double(planned), 1)
        let full = Int(share * Double(steps))
        return "[" + String(repeating: "#", count: full)
            + String(repeating: "-", count: steps - full) + "] "
    }
}

/// Shows the progress of a sync: a bar on a terminal, otherwise a line every ten seconds.
package struct ProgressDisplay: Sendable {
    private let output: StandardStream
    /// The bytes that the sync received so far.
    private let traffic: SharedValue<Int>
    private let progress = SharedValue(Progress(start: Date()))
    private let start = ContinuousClock.now
    private let limit: Bandwidth?

    package init(_ output: StandardStream, traffic: SharedValue<Int>, limit: Bandwidth?) {
        self.output = output
        self.limit = limit
        self.traffic = traffic
    }

    /// Shows `events` until they end, and passes each to `body`.
    package func show(_ events: SyncEvents, each body: (SyncEvent) -> Void) async {
        await Self.draw(on: output) { width in
            progress.withLock { $0 }.line(
                bytes: traffic.withLock(\.self), elapsed: start.duration(to: .now), limit: limit,
                width: width)
        } while: {
            for await event in events {
                progress.withLock { $0.record(event) }
                body(event)
            }
        }
    }

    /// Draws `line` again and again while `body` runs, and clears it at the end; a file gets a line every ten seconds.
    package static func draw(
        on output: StandardStream, _ line: @escaping @Sendable (_ width: Int?) -> String,
        while body: () async throws -> Void
    ) async rethrows {
        defer { clear(output) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let isTerminal = output.columns != nil
                let interval: Duration = isTerminal ? .milliseconds(200) : .seconds(10)
                while (try? await LoopClock().sleep(for: interval)) != nil {
                    let text = line(output.columns)
                    output.write(styled: isTerminal ? "\r\(text)\u{1b}[K" : "\(text)\n")
                }
            }
            try await body()
        }
    }

    /// Clears the line that is drawn on a terminal.
    package static func clear(_ output: StandardStream) {
        if output.columns != nil { output.write(styled: "\r\u{1b}[K") }
    }
}
