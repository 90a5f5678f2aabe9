/// How a picture is stored, with the raw values of Exif 2.32, section 4.6.4.
enum Orientation: Int, Hashable, Sendable, CaseIterable {
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
    var isSideways: Bool { rawValue >= 5 }
    /// Whether the stored rows are from right to left.
    var flipsRows: Bool { [2, 3, 7, 8].contains(rawValue) }
    /// Whether the stored columns are from bottom to top.
    var flipsColumns: Bool { [3, 4, 6, 7].contains(rawValue) }

    /// Reads tag 274 of the first directory of Exif data; `nil` if it is missing or invalid.
    ///
    /// - Parameter exif: Starts with a TIFF header; see TIFF 6.0, section 2.
    init?(exif: Span<UInt8>) {
        let isBig = exif.holds("MM")
        guard isBig || exif.holds("II") else { return nil }
        func number(at offset: Int, _ length: Int) -> Int? {
            isBig ? exif.bigEndian(at: offset, length) : exif.littleEndian(at: offset, length)
        }
        guard number(at: 2, 2) == 42, let directory = number(at: 4, 4),
            let count = number(at: directory, 2)
        else { return nil }
        let entries = (0..<count).lazy.map { directory + 2 + $0 * 12 }
        guard let entry = entries.first(where: { number(at: $0, 2).map { $0 == 274 } ?? true })
        else { return nil }
        // A single 16-bit number.
        guard number(at: entry + 2, 2) == 3, number(at: entry + 4, 4) == 1,
            let value = number(at: entry + 8, 2)
        else { return nil }
        self.init(rawValue: value)
    }
}
