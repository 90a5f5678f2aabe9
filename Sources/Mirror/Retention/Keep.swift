internal import Platform

/// How much of the mirror is kept; the oldest days beyond that are removed.
package enum Keep: Hashable, Sendable {
    case all
    /// The newest days, counted back from NASA's newest entry, inclusive.
    case days(Int)
    /// The bytes of pictures, posters and videos.
    case bytes(Int)
}

extension Keep: StateText {
    /// Reads `all`, `365d` or `20GB`; a number without a unit is ambiguous.
    package init?(_ text: String) {
        switch Since(text) {
        case .all: self = .all
        case .days(let count): self = .days(count)
        case .day: return nil
        case nil:
            guard let bytes = ByteSize.bytes(in: text), bytes > 0 else { return nil }
            self = .bytes(bytes)
        }
    }

    package var description: String {
        switch self {
        case .all: "all"
        case .days(let count): "\(count)d"
        case .bytes(let bytes): ByteSize.text(of: bytes)
        }
    }
}
