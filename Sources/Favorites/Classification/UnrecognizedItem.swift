/// Something in `favorites/` that says nothing, and why: it is left alone.
package struct UnrecognizedItem: Hashable, Sendable {
    package let name: FavoriteName
    /// Follows the name in a sentence: `leads out of the mirror, to …`.
    package let reason: String
}
