/// The bytes that all transfers of a client together receive in a second, as in `curl --limit-rate`.
package struct Bandwidth: Hashable, Sendable {
    /// At least 1.
    package let bytes: Int

    package init(bytes: Int) {
        precondition(bytes > 0)
        self.bytes = bytes
    }

    /// Parses a number of bytes, or with one of the suffixes k, m and g a multiple of 1024, as curl(1) does.
    ///
    /// - Returns: `.some(nil)` for 0, which is no limit; `nil` if curl would reject `text`.
    package static func parse(_ text: String) -> Bandwidth?? {
        let shifts: [Character: Int] = ["b": 0, "k": 10, "m": 20, "g": 30]
        let shift = text.last.flatMap { shifts[Character($0.lowercased())] }
        let digits = shift == nil ? text[...] : text.dropLast()
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits) else {
            return nil
        }
        let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        guard !overflows else { return nil }
        return .some(bytes == 0 ? nil : Bandwidth(bytes: bytes))
    }
}

extension Bandwidth: CustomStringConvertible {
    /// The shortest exact form: `500k`.
    package var description: String {
        let units = [(30, "g"), (20, "m"), (10, "k")]
        guard let (shift, unit) = units.first(where: { bytes.isMultiple(of: 1 << $0.0) }) else {
            return "\(bytes)"
        }
        return "\(bytes >> shift)\(unit)"
    }
}

/// How long nothing is received, so that a ``Bandwidth`` is kept over any time.
struct BandwidthMeter {
    let limit: Bandwidth
    /// The bytes of the last call.
    private var received = 0
    /// When the bytes of all calls are within the limit.
    private var end: SuspendingClock.Instant

    /// What is made up for of the time in which less was received: files are published meanwhile.
    private static let credit = Duration.milliseconds(500)

    init(_ limit: Bandwidth, received: Int, at now: SuspendingClock.Instant) {
        (self.limit, self.received, end) = (limit, received, now)
    }

    /// Takes the bytes `received` by all transfers so far; returns how long to wait.
    mutating func pause(after received: Int, at now: SuspendingClock.Instant) -> Duration {
        end =
            max(end, now - Self.credit)
            + .seconds(Double(received - self.received) / Double(limit.bytes))
        self.received = received
        return max(now.duration(to: end), .zero)
    }
}
