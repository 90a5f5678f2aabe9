/// How a stored picture lies: how it must be turned or mirrored to be upright; raw values as in Exif 2.32, section 4.6.4.
package enum Orientation: Int, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    /// Rows and columns are exchanged.
    case transposed = 5
    /// Upright after a quarter turn clockwise.
    case onLeftSide = 6
    case transposedUpsideDown = 7
    /// Upright after a quarter turn counterclockwise.
    case onRightSide = 8

    /// Whether width and height of the upright picture are those of the stored one exchanged.
    package var isSideways: Bool { rawValue >= 5 }
    /// Whether stored rows go from right to left.
    package var flipsRows: Bool { [2, 3, 7, 8].contains(rawValue) }
    /// Whether stored columns go from bottom to top.
    package var flipsColumns: Bool { [3, 4, 6, 7].contains(rawValue) }

    /// The number of the tag in Exif and TIFF.
    static let tag = 274

    /// Reads the orientation in Exif data; `nil` if it is missing or invalid.
    init?(exif data: MediaBytes) {
        guard let value = data.tiffTags([Self.tag])[Self.tag] else { return nil }
        self.init(rawValue: value)
    }
}

extension MediaBytes {
    /// The layout of a TIFF by its tags; see TIFF 6.0, section 8.
    func tiffLayout() -> MediaLayout? {
        let (width, height) = (256, 257)
        let tags = tiffTags([width, height, Orientation.tag])
        let orientation = tags[Orientation.tag].flatMap(Orientation.init)
        return MediaLayout(width: tags[width], height: tags[height], orientation)
    }

    /// Reads the numbers with these `tags` in the first directory of TIFF data: `[256: 1024, 257: 768]`, for example.
    ///
    /// The directory may be anywhere. Lists, and numbers of neither two nor four bytes, are left out. See TIFF 6.0, section 2.
    fileprivate func tiffTags(_ tags: Set<Int>) -> [Int: Int] {
        let isBigEndian = begins(with: "MM")
        func number(_ offset: Int, _ length: Int, in bytes: MediaBytes) -> Int? {
            bytes.integer(at: offset, bytes: length, isBigEndian: isBigEndian)
        }
        guard isBigEndian || begins(with: "II"), number(2, 2, in: self) == 42,
            let directory = number(4, 4, in: self).flatMap({ part(from: $0) }),
            let count = number(0, 2, in: directory)
        else { return [:] }
        var values: [Int: Int] = [:]
        for place in stride(from: 2, to: count &* 12 &+ 2, by: 12) {
            guard let entry = directory.part(from: place), let tag = number(0, 2, in: entry),
                let type = number(2, 2, in: entry)
            else { break }
            guard tags.contains(tag), values[tag] == nil, number(4, 4, in: entry) == 1 else {
                continue
            }
            // Type 3 has two bytes, type 4 has four.
            if type == 3 || type == 4 { values[tag] = number(8, type == 3 ? 2 : 4, in: entry) }
        }
        return values
    }
}
