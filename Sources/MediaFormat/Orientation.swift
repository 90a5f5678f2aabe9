/// How a stored picture must be turned or mirrored to be upright, with the raw values of Exif 2.32, section 4.6.4.
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

    /// Whether width and height are exchanged.
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
    /// Tags 256, 257 and that of the orientation; see TIFF 6.0, section 8.
    func tiffLayout() -> MediaLayout? {
        let tags = tiffTags([256, 257, Orientation.tag])
        let orientation = tags[Orientation.tag].flatMap(Orientation.init)
        return MediaLayout(width: tags[256], height: tags[257], orientation)
    }

    /// Reads the numbers with these `tags` in the first directory of TIFF data, such as `[256: 1024, 257: 768]`; see TIFF
    /// 6.0, section 2.
    ///
    /// The directory may be anywhere in the data. Lists, and numbers of other than two or four bytes, are left out.
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
