package import APOD

/// What became of the thumbnail of one day.
package struct Thumbnail: Sendable {
    package let day: Day
    /// Its path, relative to the root of the tree.
    package let result: Result<String, ThumbnailFailure>
}
