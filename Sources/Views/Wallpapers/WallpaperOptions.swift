package import MediaFormat
internal import Mirror

/// Which pictures are in `wallpapers/`.
package struct WallpaperOptions: Hashable, Sendable {
    package enum Orientation: String, CaseIterable, Sendable {
        case landscape, portrait, any
    }

    /// The number of pictures; 0 for none.
    package var count = 30
    /// The size of the screen, in either orientation.
    package var screen = PixelSize(width: 1920, height: 1080)
    package var orientation = Orientation.landscape

    package init() {}

    /// The number of newest days among which pictures are searched.
    var days: Int { max(365, count * 10) }

    private static let types: Set<MediaType> = [.jpeg, .png, .webp]

    /// Whether the picture of `record` is a still one that fits the screen: large enough, and of about its proportions.
    ///
    /// Its file is not read.
    func accepts(_ record: DayRecord) -> Bool {
        guard record.entry.mediaType == "image", record.video == nil, let picture = record.picture,
            let type = picture.type, Self.types.contains(type)
        else { return false }
        let size = PixelSize(width: picture.width, height: picture.height)
        let ratio = Double(size.width) / Double(size.height)
        return ratios.contains { $0 ~= ratio } && size.longSide >= screen.longSide
            && size.shortSide >= screen.shortSide
    }

    /// Width by height of pictures for screens; those that are called 21:9 have up to 12:5, as 3840 × 1600 pixels.
    private var ratios: [ClosedRange<Double>] {
        switch orientation {
        case .landscape: [4.0 / 3...12.0 / 5]
        case .portrait: [9.0 / 16...3.0 / 4]
        case .any: [4.0 / 3...12.0 / 5, 9.0 / 16...3.0 / 4]
        }
    }
}
