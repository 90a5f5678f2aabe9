package import APOD

/// A smaller JPEG of a large picture, which the gallery shows in place of the original for the newest days.
package enum Rendition {
    /// The length of the longer side in pixels; a smaller picture is not enlarged.
    package static let longerSide = 1600
    package static let folder = Layout.gallery + "/newest"
    /// The number of the newest days with pictures that have renditions, if their originals are large.
    package static let maximumCount = 30
    /// The size of a file that takes about a second at 10 Mbit/s.
    private static let bytesWorthReplacing = 1_000_000
    /// The size of a file that takes about five seconds at 10 Mbit/s.
    private static let bytesTooLargeToShow = 6_000_000

    package static func path(of day: Day) -> String { "\(folder)/\(day).jpg" }

    /// Whether the original is so large that a rendition is made.
    package static func isWorthMaking(of picture: PictureRecord) -> Bool {
        picture.bytes > bytesWorthReplacing
    }

    /// Whether the original is so large that pages and feeds show the thumbnail rather than the original.
    package static func isOriginalTooLarge(_ picture: PictureRecord) -> Bool {
        picture.bytes > bytesTooLargeToShow
    }
}
