package import Mirror
internal import Platform
package import Transfer

/// The progress of a sync: a pure value, shown as one line.
package struct Progress: Hashable, Sendable {
    package private(set) var planned = 0
    package private(set) var done = 0
    package private(set) var failed = 0

    package mutating func record(_ event: SyncEvent) {
        switch event {
        case .planned(let days): planned += days
        case .problem: break
        case .day(let outcome):
            switch outcome.result {
            case .downloaded, .returned, .edited, .unchanged: done += 1
            case .cancelled, .incomplete, .noSpace: failed += 1
            case .removed: break
            }
        }
    }

    /// The line: finished and planned days, bytes, rate and its limit, time left, failures.
    ///
    /// It is shorter than `width`, the columns of the terminal; `nil` for a line without a bar.
    package func line(
        bytes: Int, elapsed: Duration, limit: Bandwidth? = nil, width: Int?
    ) -> String {
        ProgressLine(done: done + failed, planned: planned).text(
            "\(done) of \(counted(planned, "day"))", bytes: bytes, elapsed: elapsed, limit: limit,
            failed > 0 ? "\(failed) without a picture" : nil, width: width)
    }
}

/// Formats progress as a bar, a rate and the time that is left.
package struct ProgressLine {
    private let done: Int
    private let planned: Int

    package init(done: Int, planned: Int) {
        self.done = done
        self.planned = planned
    }

    /// The time that is left if everything takes as long as before; `nil` if it is not known yet.
    private func timeLeft(after elapsed: Duration) -> String? {
        let seconds = elapsed / .seconds(1)
        guard done > 0, done < planned, seconds > 1 else { return nil }
        let left = Int(seconds / Double(done) * Double(planned - done))
        return switch left {
        case ..<60: "\(left) s left"
        case ..<3600: "\(left / 60) min left"
        default: "\(left / 3600) h \(left / 60 % 60) min left"
        }
    }

    /// A bar, then `count`, the bytes so far, the rate and its limit, the time left, and `problems`.
    ///
    /// The text is shorter than `width`, the columns of the terminal; `nil` for a text without a bar.
    package func text(
        _ count: String, bytes: Int, elapsed: Duration, limit: Bandwidth? = nil,
        _ problems: String?, width: Int?
    ) -> String {
        let rate = ByteCount(Int(Double(bytes) / max(elapsed / .seconds(1), 0.001)))
        let limit = limit.map { " (limit \($0))" } ?? ""
        let parts = [
            count, "\(ByteCount(bytes))", "\(rate)/s\(limit)", timeLeft(after: elapsed), problems,
        ]
        let text = parts.compactMap(\.self).joined(separator: "  ")
        guard let width else { return text }
        let bar = bar(width: min(width - text.count - 4, 40))
        return String((bar + text).prefix(max(width - 1, 1)))
    }

    private func bar(width: Int) -> String {
        guard width >= 10 else { return "" }
        let full =
            planned == 0 ? 0 : min(Int(Double(done) / Double(planned) * Double(width)), width)
        return "[" + String(repeating: "#", count: full)
            + String(repeating: "-", count: width - full) + "] "
    }
}
