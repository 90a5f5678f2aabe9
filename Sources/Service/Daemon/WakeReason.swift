/// What the keeper of the days is wanted for while it sleeps.
package struct WakeReason: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A look at NASA now.
    package static let look = WakeReason(rawValue: 1)
    /// A sign of life.
    package static let answer = WakeReason(rawValue: 2)
}
