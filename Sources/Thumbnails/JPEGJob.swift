package import APOD
internal import Mirror
internal import ThumbnailProtocol

/// A JPEG that ``Thumbnails`` is to make from the picture of a day: a thumbnail or a rendition.
package struct JPEGJob: Hashable, Sendable {
    package let day: Day
    /// The path of the JPEG, relative to the root of the mirror.
    package let path: String
    /// The maximum length of the longer side, in pixels.
    let side: Int
    /// The view to which the JPEG belongs.
    let view: ViewName

    package init(thumbnailOf day: Day) {
        self.day = day
        path = Layout.thumbnail(of: day)
        side = ThumbnailRequest.thumbnailSide
        view = .thumbnails
    }

    package init(renditionOf day: Day) {
        self.day = day
        path = Rendition.path(of: day)
        side = Rendition.longerSide
        view = .renditions
    }

    package var isThumbnail: Bool { view == .thumbnails }
}
