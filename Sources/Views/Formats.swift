internal import APOD
internal import MediaFormat
internal import Mirror
internal import Platform

extension DayRecord {
    /// The URL on the web to which a link of the record leads, as NASA wrote it; `nil` if it does not lead to the web.
    func webAddress(of link: String?) -> String? {
        link.flatMap { ArchiveLink($0)?.webAddress ?? $0.encodedWebLink }
    }
}

extension String {
    /// The path as a relative link; see RFC 3986, section 4.2.
    var percentEncodedPath: String { percentEncoded(keeping: "-._~/") }
}

extension PictureRecord {
    /// Whether all browsers can show the picture; a picture of an unknown type is assumed to be shown.
    var isShownByBrowsers: Bool {
        switch type {
        case .tiff, .heic: false
        case .jpeg, .png, .gif, .webp, .avif, .mp4, .mov, .webm, nil: true
        }
    }

    /// `4000 × 3000 pixels, JPEG`.
    var formatted: String {
        let kind = type?.rawValue.splitAtLastSlash?.name.uppercased() ?? ""
        return width > 0 && height > 0 ? "\(width) × \(height) pixels, \(kind)" : kind
    }
}

extension Day {
    /// `20 November 2026`.
    var formatted: String { "\(day) \(monthName) \(year)" }
    /// `20 November`.
    var formattedWithoutYear: String { "\(day) \(monthName)" }

    var monthName: String { Self.monthNames[month - 1] }

    private static let monthNames = months.map { $0.prefix(1).uppercased() + $0.dropFirst() }

    /// `11-20`.
    var monthAndDay: String { String(description.suffix(5)) }
}
