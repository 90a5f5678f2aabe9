internal import Platform

/// The setting `--keep`: how many days the mirror keeps; older days are removed, except for favorites and imported pictures.
///
/// ``RetentionPlan`` decides which days these are.
package enum Keep: Hashable, Sendable {
    case all
    /// So many days up to NASA's newest one: `365d`.
    case days(Int)
    /// The newest days whose pictures, posters and videos have at most so many bytes: `20GB`.
    case bytes(Int)

    /// Whether the size of the days is limited, and not their number.
    var isSize: Bool { if case .bytes = self { true } else { false } }
}

extension Keep: StateText {
    /// Reads `all`, `365d` or `20GB`; `nil` for `20`, because it has no unit.
    package init?(_ text: String) {
        switch Since(text) {
        case .all: self = .all
        case .days(let count): self = .days(count)
        case .day: return nil
        case nil:
            guard let bytes = ByteCount(typed: text)?.bytes, bytes > 0 else { return nil }
            self = .bytes(bytes)
        }
    }

    package var description: String {
        switch self {
        case .all: "all"
        case .days(let count): "\(count)d"
        case .bytes(let bytes): ByteCount(bytes).typed
        }
    }
}
