internal import APOD

/// The record of a favorite in the model.
package struct ModelRecord: Hashable, Sendable {
    package var added: Int
    /// Relative to `favorites/`.
    package var names: Set<String>
    /// The time since which it is missing.
    package var missingSince: Int?
    package var isHeld = false
    /// The uptime at which its grace period began.
    package var grace: Grace?

    package struct Grace: Hashable, Sendable {
        package let boot: Int
        package let seconds: Int
    }

    package var isMissing: Bool { isHeld || missingSince != nil }
}
