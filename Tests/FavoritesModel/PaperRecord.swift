internal import APOD

/// The record of a favorite, on paper.
package struct PaperRecord: Hashable, Sendable {
    package var added: Int
    /// Relative to `favorites/`.
    package var names: Set<String>
    /// Since when it is missed.
    package var missingSince: Int?
    package var isHeld = false
    /// When its absence began to count, by the clock that nobody sets.
    package var grace: Grace?
    /// The names that lead through `latest.*`, and when their links were made.
    package var latest: [String: Int] = [:]

    package struct Grace: Hashable, Sendable {
        package let boot: Int
        package let seconds: Int
    }

    package var isMissing: Bool { isHeld || missingSince != nil }
}
