package import Mirror
internal import Platform

/// The progress of a verification: a pure value, shown as one line.
package struct VerifyProgress: Hashable, Sendable {
    /// The days to verify, and the bytes of their files.
    package let days: Int
    package let bytes: Int
    package private(set) var daysDone = 0
    package private(set) var bytesDone = 0
    package private(set) var counts: [VerifyFinding.Kind: Int] = [:]

    package init(days: Int, bytes: Int) {
        self.days = days
        self.bytes = bytes
    }

    package mutating func record(_ event: VerifyEvent) {
        switch event {
        case .read(let bytes): bytesDone = bytesDone.addingSaturating(bytes)
        case .reached: break
        case .day: daysDone += 1
        case .finding(let finding): counts[finding.kind, default: 0] += 1
        }
    }

    /// The number of findings that are damage.
    package var damage: Int {
        counts.reduce(0) { $0 + ($1.key == .unknown ? 0 : $1.value) }
    }

    /// The line: verified days, bytes, rate, time left, damage.
    ///
    /// It is shorter than `width`, the columns of the terminal; `nil` for a line without a bar.
    package func line(elapsed: Duration, width: Int?) -> String {
        // Reading takes the time, unless sizes alone are compared.
        let line =
            bytesDone > 0 && bytes > 0
            ? ProgressLine(done: min(bytesDone, bytes), planned: bytes)
            : ProgressLine(done: daysDone, planned: days)
        return line.text(
            "\(daysDone) of \(counted(days, "day"))", bytes: bytesDone, elapsed: elapsed,
            damage > 0 ? "\(damage) damaged" : nil, width: width)
    }
}
