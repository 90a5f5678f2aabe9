internal import APOD
package import MediaFormat
internal import Mirror

/// Which pictures are in `wallpapers/`.
package struct WallpaperOptions: Hashable, Sendable {
    package enum Orientation: String, CaseIterable, Sendable {
        case landscape, portrait, any
    }

    /// The maximum number of pictures; 0 for no links.
    package var maximumCount = 30
    /// The size of the screen, in either orientation.
    package var screen = PixelSize(width: 1920, height: 1080)
    package var orientation = Orientation.landscape

    package init() {}

    /// The number of newest days that are searched, because about one picture in ten fits.
    var searchedDayCount: Int { max(365, maximumCount * 10) }

    private static let types: Set<MediaType> = [.jpeg, .png, .webp]

    /// Whether the picture of `record` is a still one, large enough for the screen, and of about its proportions.
    func accepts(_ record: DayRecord) -> Bool {
        guard record.entry.mediaType == "image", record.video == nil, let picture = record.picture,
            let type = picture.type, Self.types.contains(type)
        else { return false }
        let size = PixelSize(width: picture.width, height: picture.height)
        let ratio = Double(size.width) / Double(size.height)
        return acceptedRatios.contains { $0 ~= ratio } && size.longSide >= screen.longSide
            && size.shortSide >= screen.shortSide
    }

    /// The width divided by the height of a picture that fits.
    private var acceptedRatios: [ClosedRange<Double>] {
        // The widest screens have 12:5, such as 3840 × 1600 pixels.
        let landscape = 4.0 / 3...12.0 / 5
        let portrait = 9.0 / 16...3.0 / 4
        return switch orientation {
        case .landscape: [landscape]
        case .portrait: [portrait]
        case .any: [landscape, portrait]
        }
    }
}
