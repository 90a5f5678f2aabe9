internal import Glibc

/// A buffered reader of an open picture or video, for ``MediaHeader``.
///
/// The file must stay open as long. A byte that the disk cannot read counts as one past the end.
final class FileBytes {
    private let descriptor: CInt
    private var buffer: [UInt8] = []
    /// The offset of the buffer in the file.
    private var start = 0
    /// The bytes of the file.
    let fileLength: Int

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        var status = stat()
        fileLength = unsafe fstat(descriptor, &status) == 0 ? status.st_size : 0
    }

    /// 8 KiB, because most reads are for the few bytes of a header.
    private static let bufferSize = 8 << 10

    /// The byte at `offset`; `nil` past the end of the file.
    func byte(_ offset: Int) -> UInt8? {
        if offset < start || offset >= start + buffer.count {
            guard offset >= 0, offset < fileLength else { return nil }
            start = offset
            buffer = [UInt8](repeating: 0, count: min(Self.bufferSize, fileLength - offset))
            let count = unsafe pread(descriptor, &buffer, buffer.count, offset)
            buffer.removeLast(buffer.count - max(count, 0))
            guard !buffer.isEmpty else { return nil }
        }
        return buffer[offset - start]
    }

    /// The unsigned integer of `count` bytes at `offset`, by default with its high byte first.
    private func integer(at offset: Int, bytes count: Int, isBigEndian: Bool = true) -> Int? {
        var number = 0
        for index in 0..<count {
            let place = isBigEndian ? index : count - 1 - index
            guard let byte = byte(offset + place) else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }

    func big16(_ offset: Int) -> Int? { integer(at: offset, bytes: 2) }
    func big32(_ offset: Int) -> Int? { integer(at: offset, bytes: 4) }
    func little16(_ offset: Int) -> Int? { integer(at: offset, bytes: 2, isBigEndian: false) }
    func little32(_ offset: Int) -> Int? { integer(at: offset, bytes: 4, isBigEndian: false) }

    /// The name of a chunk or box: four characters at `offset`.
    func name(at offset: Int) -> String? {
        let bytes = (offset..<offset + 4).compactMap(byte)
        return bytes.count == 4 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

/// The size in pixels, from the header.
extension FileBytes {
    func pixelSize(of type: MediaType) -> PixelSize? {
        switch type {
        case .jpeg: jpegSize()
        case .png: size(width: big32(16), height: big32(20))  // In the chunk IHDR.
        case .gif: size(width: little16(6), height: little16(8))
        case .webp: webpSize()
        case .tiff: tiffSize()
        case .avif, .heic: boxedSize()
        case .mp4: nil
        }
    }

    /// Skips from marker to marker up to the start of frame; segments in between may take megabytes.
    private func jpegSize() -> PixelSize? {
        var offset = 2
        // No picture has so many segments; a hostile file may.
        for _ in 0..<10_000 {
            guard byte(offset) == 0xff, let marker = byte(offset + 1) else { return nil }
            switch marker {
            case 0xff:  // A fill byte before the marker.
                offset += 1
            case 0x01, 0xd0...0xd8:  // Markers without a length.
                offset += 2
            case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:  // Starts of frames.
                return size(width: big16(offset + 7), height: big16(offset + 5))
            default:
                guard let length = big16(offset + 2), length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }

    private func webpSize() -> PixelSize? {
        switch name(at: 12) {
        case "VP8 ":  // 14 bits each, after the frame tag and the start code.
            let (width, height) = (little16(26), little16(28))
            return size(width: width.map { $0 & 0x3fff }, height: height.map { $0 & 0x3fff })
        case "VP8L":  // 14 bits each, less one, after the signature.
            guard let bits = little32(21) else { return nil }
            return PixelSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
        case "VP8X":  // The canvas, 24 bits each, less one, after the flags.
            let (width, height) = (little32(24), little32(26).map { $0 >> 8 })
            return size(width: width.map { $0 & 0xff_ffff + 1 }, height: height.map { $0 + 1 })
        default:
            return nil
        }
    }

    /// Tags 256 and 257 of the first directory, which may be anywhere in the file.
    private func tiffSize() -> PixelSize? {
        let isBigEndian = byte(0) == UInt8(ascii: "M")
        func number(_ offset: Int, _ count: Int) -> Int? {
            integer(at: offset, bytes: count, isBigEndian: isBigEndian)
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        var values: [Int: Int] = [:]
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            // The entries are in ascending order of their tags.
            guard let tag = number(entry, 2), tag <= 257 else { break }
            // Type 3 has two bytes, type 4 has four.
            let isShort = number(entry + 2, 2) == 3
            values[tag] = number(entry + 8, isShort ? 2 : 4)
        }
        return size(width: values[256], height: values[257])
    }

    /// The largest size of the `ispe` boxes (ImageSpatialExtents); the others belong to tiles and thumbnails.
    ///
    /// The boxes are inside meta, iprp and ipco; see ISO 23008-12, section 6.5.3.
    private func boxedSize() -> PixelSize? {
        var range = 0..<fileLength
        for name in ["meta", "iprp", "ipco"] {
            guard let box = boxes(in: range).first(where: { $0.name == name }) else { return nil }
            // meta starts with a version and flags.
            range = name == "meta" ? box.content.dropFirst(4) : box.content
        }
        return boxes(in: range).filter { $0.name == "ispe" }.compactMap { box in
            // After a version and flags.
            let content = box.content.lowerBound
            return size(width: big32(content + 4), height: big32(content + 8))
        }.max { $0.pixelCount < $1.pixelCount }
    }

    /// Whether there is a `moov` box, without which no program plays a video; see ISO 14496-12, section 8.2.1.
    var hasMovie: Bool { boxes(in: 0..<fileLength).contains { $0.name == "moov" } }

    /// The boxes that start in `range`, at most a thousand: a hostile file may have more.
    private func boxes(in range: Range<Int>) -> [(name: String, content: Range<Int>)] {
        var boxes: [(name: String, content: Range<Int>)] = []
        var offset = range.lowerBound
        while boxes.count < 1_000, offset < range.upperBound, let box = boxHead(offset),
            box.length >= box.head
        {
            boxes.append((box.name, offset + box.head..<offset + box.length))
            offset += box.length
        }
        return boxes
    }

    /// The name of the box at `offset`, its length, and that of its head: see ISO 14496-12, section 4.2.
    ///
    /// A recorded length of 0 means up to the end of the file. No length can make the next offset overflow.
    func boxHead(_ offset: Int) -> (name: String, length: Int, head: Int)? {
        guard let short = big32(offset), let name = name(at: offset + 4) else { return nil }
        if short == 0 { return (name, fileLength - offset, 8) }
        guard short == 1, let high = big32(offset + 8), let low = big32(offset + 12) else {
            return (name, short, 8)
        }
        return (name, min(high, 1 << 30) << 32 | low, 16)
    }

    private func size(width: Int?, height: Int?) -> PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width: width, height: height)
    }
}
