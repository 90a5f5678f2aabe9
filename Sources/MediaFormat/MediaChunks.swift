/// The parts of a file or of one of its parts, each with a name and a length: chunks of PNG and WebP, and boxes.
///
/// See PNG 5.3, RFC 9649 section 2.3, ISO 14496-12 section 4.2.
struct MediaChunks: Sequence, IteratorProtocol {
    enum Kind {
        case png, riff, box
    }

    struct Chunk {
        let name: String
        /// It may extend past the end of a truncated file.
        let contents: Range<Int>
        /// The offset of the next chunk.
        let end: Int
    }

    private let bytes: MediaBytes
    private let kind: Kind
    private var offset: Int
    private let end: Int

    init(_ bytes: MediaBytes, _ kind: Kind, in range: Range<Int>) {
        self.bytes = bytes
        self.kind = kind
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Returns `nil` at the end, and where the file has no whole head of a chunk.
    mutating func next() -> Chunk? {
        guard offset < end, let chunk = chunk() else { return nil }
        offset = chunk.end
        return chunk
    }

    private func chunk() -> Chunk? {
        switch kind {
        case .png:  // A checksum follows.
            guard let length = bytes.big32(offset) else { return nil }
            return chunk(nameAt: offset + 4, head: 8, length: 8 + length, trailer: 4)
        case .riff:  // The length is made even.
            guard let length = bytes.little32(offset + 4) else { return nil }
            return chunk(nameAt: offset, head: 8, length: 8 + length, trailer: length & 1)
        case .box:
            guard let length = bytes.big32(offset) else { return nil }
            // 0 means up to the end of the file; after 1, the length has 64 bits.
            guard length == 1, let high = bytes.big32(offset + 8),
                let low = bytes.big32(offset + 12)
            else {
                let isLast = length == 0
                return chunk(
                    nameAt: offset + 4, head: 8, length: isLast ? bytes.fileLength - offset : length
                )
            }
            // Such a length cannot make the next offset overflow.
            return chunk(nameAt: offset + 4, head: 16, length: Swift.min(high, 1 << 30) << 32 | low)
        }
    }

    private func chunk(nameAt place: Int, head: Int, length: Int, trailer: Int = 0) -> Chunk? {
        guard length >= head, let name = bytes.name(at: place) else { return nil }
        return Chunk(
            name: name, contents: offset + head..<offset + length, end: offset + length + trailer)
    }
}

extension MediaBytes {
    var pngChunks: MediaChunks { MediaChunks(self, .png, in: 8..<fileLength) }
    var webPChunks: MediaChunks { MediaChunks(self, .riff, in: 12..<max(12, fileLength)) }

    /// The boxes in `range`, at most a thousand: a hostile file may have more.
    func boxes(in range: Range<Int>) -> PrefixSequence<MediaChunks> {
        MediaChunks(self, .box, in: range).prefix(1_000)
    }

    /// What the chunks before the pixels say.
    func pngLayout() -> MediaLayout? {
        // The chunk IHDR is the first.
        var layout = MediaLayout(width: big32(16), height: big32(20))
        for chunk in pngChunks.prefix(while: { $0.name != "IDAT" }) {
            if chunk.name == "eXIf" {
                layout?.orientation = Orientation(exif: self, in: chunk.contents) ?? .upright
            }
            if chunk.name == "acTL" { layout?.isAnimated = true }
        }
        return layout
    }

    func webPLayout() -> MediaLayout? {
        guard let first = webPChunks.first(where: { _ in true }) else { return nil }
        let start = first.contents.lowerBound
        switch first.name {
        case "VP8 ":  // 14 bits each, after the frame tag and the start code.
            let (width, height) = (little16(start + 6), little16(start + 8))
            return MediaLayout(width: width.map { $0 & 0x3fff }, height: height.map { $0 & 0x3fff })
        case "VP8L":  // 14 bits each, less one, after the signature.
            let bits = little32(start + 1)
            return MediaLayout(
                width: bits.map { $0 & 0x3fff + 1 }, height: bits.map { $0 >> 14 & 0x3fff + 1 })
        case "VP8X":  // The canvas, 24 bits each, less one, after the flags.
            let (width, height) = (little32(start + 4), little32(start + 6).map { $0 >> 8 })
            var layout = MediaLayout(
                width: width.map { $0 & 0xff_ffff + 1 }, height: height.map { $0 + 1 })
            let exif = webPChunks.prefix(10_000).first { $0.name == "EXIF" }
            layout?.orientation =
                exif.flatMap { Orientation(exif: self, in: $0.contents) } ?? .upright
            layout?.isAnimated = byte(start).map { $0 & 2 != 0 } ?? false
            return layout
        default:
            return nil
        }
    }

    /// The contents of the color profile of a WebP; `nil` if it has none.
    package func webPProfile() -> Range<Int>? {
        webPChunks.prefix(10_000).first { $0.name == "ICCP" }?.contents
    }

    /// The largest size of the `ispe` boxes (ImageSpatialExtents), as `irot` (ImageRotation) turns it; the others belong
    /// to tiles and thumbnails.
    ///
    /// The boxes are inside meta, iprp and ipco; see ISO 23008-12, sections 6.5.3 and 6.5.10.
    func stillLayout() -> MediaLayout? {
        var range = 0..<fileLength
        for name in ["meta", "iprp", "ipco"] {
            guard let box = boxes(in: range).first(where: { $0.name == name }) else { return nil }
            // meta starts with a version and flags.
            range = name == "meta" ? box.contents.dropFirst(4) : box.contents
        }
        let properties = Array(boxes(in: range))
        var layout = properties.filter { $0.name == "ispe" }.compactMap { box in
            // After a version and flags.
            let start = box.contents.lowerBound
            return MediaLayout(width: big32(start + 4), height: big32(start + 8))
        }.max { $0.size.pixelCount < $1.size.pixelCount }
        let turns = properties.first { $0.name == "irot" }.flatMap { byte($0.contents.lowerBound) }
        // Quarter turns counterclockwise.
        if turns.map({ $0 & 1 == 1 }) == true { layout?.orientation = .onRightSide }
        return layout
    }

    /// Whether there is a `moov` box, without which no program plays a video; see ISO 14496-12, section 8.2.1.
    var hasMovie: Bool { boxes(in: 0..<fileLength).contains { $0.name == "moov" } }
}
