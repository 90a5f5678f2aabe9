/// Which part of a file an answer holds: the value of a `Content-Range`.
struct ContentRange: Hashable, Sendable {
    /// The first byte and the last, from 0.
    let bytes: ClosedRange<Int>
    /// The length of the whole file.
    let total: Int

    /// Reads `bytes 100-199/200`; see RFC 9110, 14.4.
    ///
    /// - Returns: `nil` for anything else, and where the whole length is not told.
    init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes ") else { return nil }
        let numbers = text.dropFirst(6).split(separator: "/").flatMap { $0.split(separator: "-") }
            .map { Int($0) }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1],
            let total = numbers[2], 0 <= first, first <= last, last < total
        else { return nil }
        bytes = first...last
        self.total = total
    }
}
