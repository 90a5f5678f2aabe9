package import APOD

/// What one thing in `favorites/` means.
package enum Classification: Hashable, Sendable {
    case favorite(Day, ReferenceKind)
    case ignored
    /// The reason is a sentence that a person can act on.
    case notUnderstood(String)

    var isDoubt: Bool {
        if case .notUnderstood = self { true } else { false }
    }
}
