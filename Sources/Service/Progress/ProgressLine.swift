internal import Platform
package import Transfer

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

    /// The line after the time `elapsed`, in which `bytes` were read or received; the rate is the mean since the start.
    ///
    /// `amount` says how much is finished: `12 of 24 days`. The line is cut to less than `width`, the columns of the terminal. If
    /// `width` is `nil`, for a file, the line has any length and no bar.
    package func text(
        amount: String, bytes: Int, elapsed: Duration, limit: Bandwidth? = nil, problems: String?,
        width: Int?
    ) -> String {
        // At least a millisecond, because a division by 0 has no rate.
        let seconds = max(elapsed / .seconds(1), 0.001)
        let rate = ByteCount(Int(Double(bytes) / seconds))
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

    /// `[####----] ` with 10 to 40 steps, in at most `room` columns; empty if there is no room for it.
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
