package import APOD

/// The picture of the newest day at a size for the first page of the gallery, where the original is too
/// large for everybody who opens that.
package enum Rendition {
    /// The long side in pixels; a smaller picture is not enlarged.
    package static let side = 1600
    /// Its folder, which holds one file: a rendition of any other day is removed.
    package static let folder = "gallery/newest"

    /// The most bytes of an original on the first page.
    private static let limit = 6_000_000

    package static func path(of day: Day) -> String { "\(folder)/\(day).jpg" }

    package static func isWanted(of picture: PictureRecord) -> Bool { picture.bytes > limit }
}
