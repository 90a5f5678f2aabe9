internal import APOD
internal import MediaFormat
internal import Mirror
internal import Platform

extension DayRecord {
    /// Where a link of the record leads to on the web; `nil` if that is no web server.
    ///
    /// The record has the link as NASA wrote it.
    func webAddress(of link: String?) -> String? {
        link.flatMap { ArchiveLink($0)?.webAddress ?? $0.encodedWebLink }
    }
}

extension String {
    /// The path as a relative link; see RFC 3986, section 4.2.
    var percentEncodedPath: String { percentEncoded(keeping: "-._~/") }
}

extension PictureRecord {
    /// Whether all browsers can show it, as far as its type is known.
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
