internal import MediaFormat
internal import Mirror
internal import Platform

/// What pages say and assume about the file of a picture.
extension PictureRecord {
    /// Whether all browsers show a picture of this type.
    ///
    /// An unknown type is assumed to be shown. So is a type of videos, which no picture should have.
    var isShownByBrowsers: Bool {
        switch type {
        case .tiff, .heic: false
        case .jpeg, .png, .gif, .webp, .avif, .mp4, .mov, .webm, nil: true
        }
    }

    /// The size and the format: `4000 × 3000 pixels, JPEG`; only the format if the size is not known.
    var formatted: String {
        guard width > 0, height > 0 else { return formatName }
        return "\(width) × \(height) pixels, \(formatName)"
    }

    /// `JPEG` for `image/jpeg`; empty for an unknown type.
    private var formatName: String {
        guard let mediaType = type?.rawValue.splitAtLastSlash else { return "" }
        return mediaType.name.uppercased()
    }
}
