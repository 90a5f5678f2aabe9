/// How many days have a thumbnail.
package struct ThumbnailCount: Hashable, Sendable {
    package let complete: Int
    /// They will be made, or tried again.
    package let missing: Int
    /// None can be made of their picture.
    package let refused: Int
}
