package import APOD

/// A smaller JPEG of a recent picture for the gallery, made if the original is large.
package enum Rendition {
    /// The long side in pixels; a smaller picture is not enlarged.
    package static let side = 1600
    /// Their directory; renditions of other days than the newest are removed.
    package static let folder = Layout.gallery + "/newest"
    /// The number of newest days with pictures that have one where it is useful.
    package static let days = 30

    package static func path(of day: Day) -> String { "\(folder)/\(day).jpg" }

    /// Whether the original takes a moment to load over a slow network.
    package static func isUseful(of picture: PictureRecord) -> Bool { picture.bytes > 1_000_000 }

    /// Whether the original is too large for a page that shows it among others.
    package static func isNecessary(of picture: PictureRecord) -> Bool {
        picture.bytes > 6_000_000
    }
}
