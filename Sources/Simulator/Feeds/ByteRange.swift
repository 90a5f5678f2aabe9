/// What a `Range` header asks of a file; see RFC 9110, section 14.1.2.
enum ByteRange: Equatable {
    /// Several ranges, another unit, or nonsense: the header counts for nothing.
    case all
    case part(Range<Int>)
    case unsatisfiable

    init(_ header: String, of length: Int) {
        let bounds = header.dropFirst("bytes=".count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard header.hasPrefix("bytes="), bounds.count == 2 else {
            self = .all
            return
        }
        switch (Int(bounds[0]), Int(bounds[1])) {
        case (nil, let suffix?) where bounds[0].isEmpty:
            self =
                suffix > 0 && length > 0 ? .part(max(0, length - suffix)..<length) : .unsatisfiable
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        default:
            self = .all
        }
    }
}
