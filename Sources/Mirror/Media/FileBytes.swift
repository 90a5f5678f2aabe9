internal import Glibc

/// A buffered reader of an open picture or video.
final class FileBytes {
    private let descriptor: CInt
    private var piece: [UInt8] = []
    private var start = 0
    let size: Int

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        var status = stat()
        size = unsafe fstat(descriptor, &status) == 0 ? status.st_size : 0
    }

    /// Most reads are for the few bytes of a header.
    private static let pieceSize = 8 << 10

    /// The byte at `offset`; `nil` past the end of the file.
    func byte(_ offset: Int) -> UInt8? {
        if offset < start || offset >= start + piece.count {
            guard offset >= 0, offset < size else { return nil }
            start = offset
            piece = [UInt8](repeating: 0, count: min(Self.pieceSize, size - offset))
            let count = unsafe pread(descriptor, &piece, piece.count, offset)
            piece.removeLast(piece.count - max(count, 0))
            guard !piece.isEmpty else { return nil }
        }
        return piece[offset - start]
    }

    func number(_ offset: Int, _ count: Int, isBig: Bool = true) -> Int? {
        var number = 0
        for index in 0..<count {
            guard let byte = byte(offset + (isBig ? index : count - 1 - index)) else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }

    /// The name of four bytes at `offset`.
    func text(_ offset: Int) -> String? {
        let bytes = (offset..<offset + 4).compactMap(byte)
        return bytes.count == 4 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

/// The size in pixels, from the header.
extension FileBytes {
    func pixelSize(of type: MediaType) -> PixelSize? {
        switch type {
        case .jpeg: jpegSize()
        case .png: size(width: number(16, 4), height: number(20, 4))
        case .gif: size(width: number(6, 2, isBig: false), height: number(8, 2, isBig: false))
        case .webp: webpSize()
        case .tiff: tiffSize()
        case .avif, .heic: boxedSize()
        case .mp4: nil
        }
    }

    /// Skips from marker to marker up to the start of frame; segments in between may take megabytes.
    private func jpegSize() -> PixelSize? {
        var offset = 2
        for _ in 0..<10_000 {
            guard byte(offset) == 0xff, let marker = byte(offset + 1) else { return nil }
            switch marker {
            case 0xff:  // A fill byte before the marker.
                offset += 1
            case 0x01, 0xd0...0xd8:  // Markers without a length.
                offset += 2
            case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:
                return size(width: number(offset + 7, 2), height: number(offset + 5, 2))
            default:
                guard let length = number(offset + 2, 2), length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }

    private func webpSize() -> PixelSize? {
        switch text(12) {
        case "VP8 ":
            return size(
                width: number(26, 2, isBig: false).map { $0 & 0x3fff },
                height: number(28, 2, isBig: false).map { $0 & 0x3fff })
        case "VP8L":
            guard let bits = number(21, 4, isBig: false) else { return nil }
            return PixelSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
        case "VP8X":
            return size(
                width: number(24, 3, isBig: false).map { $0 + 1 },
                height: number(27, 3, isBig: false).map { $0 + 1 })
        default:
            return nil
        }
    }

    /// Tags 256 and 257 of the first directory, which may be anywhere in the file.
    private func tiffSize() -> PixelSize? {
        let isBig = byte(0) == 0x4d
        guard let directory = number(4, 4, isBig: isBig),
            let count = number(directory, 2, isBig: isBig)
        else { return nil }
        var values: [Int: Int] = [:]
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let tag = number(entry, 2, isBig: isBig), tag <= 257 else { break }
            // Type 3 has two bytes, type 4 has four.
            let isShort = number(entry + 2, 2, isBig: isBig) == 3
            values[tag] = number(entry + 8, isShort ? 2 : 4, isBig: isBig)
        }
        return size(width: values[256], height: values[257])
    }

    /// The largest size of the `ispe` boxes; the others belong to tiles and thumbnails.
    ///
    /// The boxes are inside meta, iprp and ipco; see ISO 23008-12, section 6.5.3.
    private func boxedSize() -> PixelSize? {
        var range = 0..<(1 << 32)
        for name in ["meta", "iprp", "ipco"] {
            guard let box = boxes(in: range).first(where: { $0.name == name }) else { return nil }
            // meta starts with a version and flags.
            range = name == "meta" ? box.content.dropFirst(4) : box.content
        }
        return boxes(in: range).filter { $0.name == "ispe" }.compactMap { box in
            size(
                width: number(box.content.lowerBound + 4, 4),
                height: number(box.content.lowerBound + 8, 4))
        }.max { $0.count < $1.count }
    }

    /// Whether there is a `moov` box, without which no program plays a video; see ISO 14496-12, section 8.2.1.
    var hasMovie: Bool { boxes(in: 0..<(1 << 32)).contains { $0.name == "moov" } }

    /// The boxes that start in `range`, at most a thousand.
    private func boxes(in range: Range<Int>) -> [(name: String, content: Range<Int>)] {
        var boxes: [(name: String, content: Range<Int>)] = []
        var offset = range.lowerBound
        while boxes.count < 1_000, offset < range.upperBound, let box = boxHead(offset),
            box.length >= box.head
        {
            boxes.append((box.name, (offset + box.head)..<(offset + box.length)))
            offset += box.length
        }
        return boxes
    }

    /// The name of the box at `offset`, its length, and that of its head; a length of 0 means up to the end of the
    /// file.
    func boxHead(_ offset: Int) -> (name: String, length: Int, head: Int)? {
        guard let short = number(offset, 4), let name = text(offset + 4) else { return nil }
        guard short == 1, let high = number(offset + 8, 4), let low = number(offset + 12, 4) else {
            return (name, short, 8)
        }
        return (name, min(high, 1 << 30) << 32 | low, 16)
    }

    private func size(width: Int?, height: Int?) -> PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width: width, height: height)
    }
}
