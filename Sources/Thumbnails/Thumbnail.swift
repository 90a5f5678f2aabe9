package import APOD

/// The outcome of making the thumbnail of one day.
package struct Thumbnail: Sendable {
    package let day: Day
    /// The path of the thumbnail, relative to the root, or the failure.
    package let result: Result<String, ThumbnailFailure>
}

/// The number of days with and without a thumbnail.
package struct ThumbnailCount: Hashable, Sendable {
    package let complete: Int
    /// Not made yet, or to be retried.
    package let missing: Int
    /// No thumbnail can be made.
    package let rejected: Int
}
