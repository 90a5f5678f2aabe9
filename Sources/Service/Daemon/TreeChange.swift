/// What of the tree has changed, many changes joined to one.
package struct TreeChange: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Days came, or NASA edited them, or what is known of a missing one.
    package static let days = TreeChange(rawValue: 1)
    /// There are other favorites than before, or other names of them.
    package static let favorites = TreeChange(rawValue: 2)
    /// Thumbnails came.
    package static let thumbnails = TreeChange(rawValue: 4)

    /// Nothing has: a sign of life is asked for.
    static let question = TreeChange(rawValue: 8)

    package static let all: TreeChange = [.days, .favorites, .thumbnails]
}
