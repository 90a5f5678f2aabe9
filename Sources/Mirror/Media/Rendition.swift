package import APOD

/// A reduced copy of the newest picture for the first page of the gallery, made if the original is too
/// large to load there.
package enum Rendition {
    /// The long side in pixels; a smaller picture is not enlarged.
    package static let side = 1600
    /// Its directory, which holds one file: renditions of other days are removed.
    package static let folder = "gallery/newest"

    /// The maximum size of an original on the first page, in bytes.
    private static let limit = 6_000_000

    package static func path(of day: Day) -> String { "\(folder)/\(day).jpg" }

    /// Whether the original is too large for a page that shows it among others.
    package static func isWanted(of picture: PictureRecord) -> Bool { picture.bytes > limit }
}
