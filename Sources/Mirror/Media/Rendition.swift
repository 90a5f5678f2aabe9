package import APOD

/// A smaller JPEG of a recent picture for the gallery, made if the original is large.
package enum Rendition {
    /// The long side in pixels; a smaller picture is not enlarged.
    package static let side = 1600
    package static let folder = Layout.gallery + "/newest"
    /// Only so many of the newest days with pictures have a rendition.
    package static let days = 30

    package static func path(of day: Day) -> String { "\(folder)/\(day).jpg" }

    /// Whether the original loads slowly over a slow network.
    package static func isUseful(of picture: PictureRecord) -> Bool { picture.bytes > 1_000_000 }

    /// Whether the original is too large for a page that shows several pictures.
    package static func isNecessary(of picture: PictureRecord) -> Bool {
        picture.bytes > 6_000_000
    }
}
