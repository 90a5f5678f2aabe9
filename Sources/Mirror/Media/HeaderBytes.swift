internal import Glibc

/// Reads the pixel size from the header of an open picture file.
struct HeaderBytes {
    private let descriptor: CInt

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Up to `count` bytes at `offset`, fewer at the end of the file.
    func read(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: count)
        let length = unsafe pread(descriptor, &buffer, count, offset)
        return Array(buffer.prefix(max(length, 0)))
    }

    func pixelSize(of type: MediaType) -> PixelSize? {
        switch type {
        case .jpeg: jpegSize()
        case .png: size(width: bigEndian(at: 16, 4), height: bigEndian(at: 20, 4))
        case .gif: size(width: littleEndian(at: 6, 2), height: littleEndian(at: 8, 2))
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
            let marker = read(at: offset, count: 2)
            guard marker.count == 2, marker[0] == 0xff else { return nil }
            switch marker[1] {
            case 0xff:  // A fill byte before the marker.
                offset += 1
            case 0x01, 0xd0...0xd8:  // Markers without a length.
                offset += 2
            case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:
                return size(
                    width: bigEndian(at: offset + 7, 2), height: bigEndian(at: offset + 5, 2))
            default:
                guard let length = bigEndian(at: offset + 2, 2), length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }

    private func webpSize() -> PixelSize? {
        let kind = String(decoding: read(at: 12, count: 4), as: UTF8.self)
        switch kind {
        case "VP8 ":
            return size(
                width: littleEndian(at: 26, 2).map { $0 & 0x3fff },
                height: littleEndian(at: 28, 2).map { $0 & 0x3fff })
        case "VP8L":
            guard let bits = littleEndian(at: 21, 4) else { return nil }
            return PixelSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
        case "VP8X":
            return size(
                width: littleEndian(at: 24, 3).map { $0 + 1 },
                height: littleEndian(at: 27, 3).map { $0 + 1 })
        default:
            return nil
        }
    }

    /// Tags 256 and 257 of the first directory, which may be anywhere in the file.
    private func tiffSize() -> PixelSize? {
        let isBig = read(at: 0, count: 1) == [0x4d]
        func number(at offset: Int, _ count: Int) -> Int? {
            isBig ? bigEndian(at: offset, count) : littleEndian(at: offset, count)
        }
        guard let directory = number(at: 4, 4), let count = number(at: directory, 2) else {
            return nil
        }
        var values: [Int: Int] = [:]
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let tag = number(at: entry, 2), tag <= 257 else { break }
            // Type 3 has two bytes, type 4 has four.
            values[tag] = number(at: entry + 8, number(at: entry + 2, 2) == 3 ? 2 : 4)
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
                width: bigEndian(at: box.content.lowerBound + 4, 4),
                height: bigEndian(at: box.content.lowerBound + 8, 4))
        }.max { $0.count < $1.count }
    }

    /// The boxes that start in `range`, at most a thousand.
    private func boxes(in range: Range<Int>) -> [(name: String, content: Range<Int>)] {
        var boxes: [(name: String, content: Range<Int>)] = []
        var offset = range.lowerBound
        while boxes.count < 1_000, offset < range.upperBound,
            let length = bigEndian(at: offset, 4), length >= 8
        {
            let name = String(decoding: read(at: offset + 4, count: 4), as: UTF8.self)
            boxes.append((name, (offset + 8)..<(offset + length)))
            offset += length
        }
        return boxes
    }

    private func size(width: Int?, height: Int?) -> PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width: width, height: height)
    }

    private func bigEndian(at offset: Int, _ count: Int) -> Int? {
        let bytes = read(at: offset, count: count)
        return bytes.count == count ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
    }

    private func littleEndian(at offset: Int, _ count: Int) -> Int? {
        let bytes = read(at: offset, count: count)
        return bytes.count == count ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : nil
    }
}
