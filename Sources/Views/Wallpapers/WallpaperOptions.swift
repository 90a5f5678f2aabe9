internal import Mirror

/// Which pictures are in `wallpapers/`.
package struct WallpaperOptions: Hashable, Sendable {
    package enum Orientation: String, CaseIterable, Sendable {
        case landscape, portrait, any
    }

    /// The number of pictures; 0 for none.
    package var count = 30
    /// The longer and the shorter side of the screen in pixels.
    package var longSide = 1920
    package var shortSide = 1080
    package var orientation = Orientation.landscape

    package init() {}

    /// The number of newest days among which pictures are searched.
    var days: Int { max(365, count * 10) }

    private static let types: Set<MediaType> = [.jpeg, .png, .webp]

    /// Whether the picture of `record` is a still one that fills the screen; its file is not read.
    func accepts(_ record: DayRecord) -> Bool {
        guard record.entry.mediaType == "image", record.video == nil, let picture = record.picture,
            MediaType(rawValue: picture.type).map(Self.types.contains) == true
        else { return false }
        let (width, height) = (picture.width, picture.height)
        let isOriented =
            switch orientation {
            case .landscape: width > height
            case .portrait: width < height
            case .any: true
            }
        return isOriented && max(width, height) >= longSide && min(width, height) >= shortSide
    }
}
