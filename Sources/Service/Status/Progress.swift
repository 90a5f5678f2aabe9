package import Mirror
internal import Platform

/// The progress of a sync: a pure value, shown as one line.
package struct Progress: Hashable, Sendable {
    package private(set) var planned = 0
    package private(set) var done = 0
    package private(set) var failed = 0

    package init() {}

    package mutating func record(_ event: SyncEvent) {
        switch event {
        case .planned(let days): planned += days
        case .problem, .alive: break
        case .day(let outcome):
            switch outcome.result {
            case .downloaded: done += 1
            case .pending, .noSpace: failed += 1
            case .edited, .unchanged: break
            }
        }
    }

    /// The line: finished and planned days, bytes, rate, time left, failures.
    ///
    /// - Parameters:
    ///   - bytes: The bytes received so far.
    ///   - elapsed: The time since the start.
    ///   - width: The columns of the terminal; `nil` for a line without a bar.
    /// - Returns: The line, shorter than `width`.
    package func line(bytes: Int, elapsed: Duration, width: Int?) -> String {
        let seconds = max(elapsed / .seconds(1), 0.001)
        var parts = [
            "\(done) of \(counted(planned, "day"))", "\(ByteCount(bytes))",
            "\(ByteCount(Int(Double(bytes) / seconds)))/s",
        ]
        if let left = timeLeft(after: seconds) { parts.append("\(left) left") }
        if failed > 0 { parts.append("\(failed) without a picture") }
        let text = parts.joined(separator: "  ")
        guard let width else { return text }
        let bar = bar(width: min(width - text.count - 4, 40))
        return String((bar + text).prefix(max(width - 1, 1)))
    }

    private func bar(width: Int) -> String {
        guard width >= 10 else { return "" }
        let full = planned == 0 ? 0 : (done + failed) * width / planned
        return "[" + String(repeating: "#", count: min(full, width))
            + String(repeating: "-", count: width - min(full, width)) + "] "
    }

    private func timeLeft(after seconds: Double) -> String? {
        let settled = done + failed
        guard settled > 0, settled < planned, seconds > 1 else { return nil }
        let left = Int(seconds / Double(settled) * Double(planned - settled))
        return switch left {
        case ..<60: "\(left) s"
        case ..<3600: "\(left / 60) min"
        default: "\(left / 3600) h \(left / 60 % 60) min"
        }
    }
}
