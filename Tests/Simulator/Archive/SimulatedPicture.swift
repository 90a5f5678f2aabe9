package import APOD

/// A file of the simulated NASA with its paths in the v1 feed.
package struct SimulatedPicture: Hashable, Sendable {
    /// The file name, such as `M31_Hubble_2048.jpg`; the extension may be wrong.
    package var name: String
    package var source: PictureSource
    /// What is served in place of it by `/dynamicimage/` without a size, and where the v1 feed's
    /// page shows it; `nil` means the same bytes.
    package var reduced: PictureSource?
    /// Whether the URL contains the natural size; otherwise it has `w=0&h=0`.
    package var announcesSize: Bool
    /// The paths of the v1 feed: the large picture first, then what its page shows.
    ///
    /// Empty means `/apod/image/YYMM/NAME`.
    package var v1Paths: [String]

    /// A day of the month that the basic feed's directory names; `nil` for that of the entry.
    package var shelf: Day?

    package init(
        name: String, source: PictureSource, reduced: PictureSource? = nil,
        announcesSize: Bool = true, v1Paths: [String] = [], shelf: Day? = nil
    ) {
        self.name = name
        self.source = source
        self.reduced = reduced
        self.announcesSize = announcesSize
        self.v1Paths = v1Paths
        self.shelf = shelf
    }
}

extension SimulatedPicture {
    /// A drawing.
    package static func drawn(
        _ name: String, seed: UInt64, width: Int, height: Int, format: Drawing.Format = .jpeg
    ) -> SimulatedPicture {
        SimulatedPicture(
            name: name,
            source: .drawn(Drawing(seed: seed, width: width, height: height, format: format)))
    }
}

extension SimulatedMedia {
    /// A picture that is a drawing.
    package static func drawn(
        _ name: String, seed: UInt64, width: Int, height: Int, format: Drawing.Format = .jpeg
    ) -> SimulatedMedia {
        .picture(.drawn(name, seed: seed, width: width, height: height, format: format))
    }
}

/// The source of the bytes of a file.
package enum PictureSource: Hashable, Sendable {
    /// Drawn on the first request.
    case drawn(Drawing)
    /// A file of any kind; width and height are 0 if they are not known.
    case bytes([UInt8], width: Int = 0, height: Int = 0)
    /// Read on each request.
    case file(path: String)

    /// The size in pixels, if it is known without opening the file.
    var size: (width: Int, height: Int)? {
        switch self {
        case .drawn(let drawing): (drawing.width, drawing.height)
        case .bytes(_, let width, let height): (width, height)
        case .file: nil
        }
    }

    /// The picture scaled down to `width` by `height`, if it is a drawing.
    func fitting(width: Int, height: Int) -> PictureSource {
        guard case .drawn(let drawing) = self else { return self }
        return .drawn(drawing.fitting(width: width, height: height))
    }
}

extension PictureSource {
    /// A minimal MP4 without a track, with `comment` as its data; see ISO/IEC 14496-12.
    static func mp4(_ comment: String) -> PictureSource {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let length = content.count + 8
            return [0, 0, UInt8(length >> 8), UInt8(length & 255)] + Array(name.utf8) + content
        }
        let brands = Array("isom".utf8) + [0, 0, 2, 0] + Array("isomiso2mp41".utf8)
        return .bytes(box("ftyp", brands) + box("moov", []) + box("mdat", Array(comment.utf8)))
    }
}
