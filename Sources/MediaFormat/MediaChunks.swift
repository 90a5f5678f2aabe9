/// The chunks of a PNG or WebP, or the boxes of an MP4, AVIF or HEIC, one after the other.
///
/// Each has a name of four characters, a length and contents; see PNG 5.3, RFC 9649 section 2.3, ISO 14496-12 section 4.2.
struct MediaChunks: Sequence, IteratorProtocol {
    enum Kind {
        case png, riff, box
    }

    struct Chunk {
        let name: String
        /// The contents as far as the file has them.
        let contents: MediaBytes
        /// Whether the file has the whole chunk, so that another one may follow.
        let isWhole: Bool
    }

    private let kind: Kind
    /// The bytes after the last chunk; `nil` if the file ends within that chunk.
    private var rest: MediaBytes?

    init(_ bytes: MediaBytes?, _ kind: Kind) {
        self.kind = kind
        rest = bytes
    }

    /// Returns the next chunk; `nil` at the end, and if the file ends within the head of a chunk.
    mutating func next() -> Chunk? {
        guard let chunk = rest else { return nil }
        switch kind {
        case .png:  // A checksum follows the contents.
            return skipChunk(nameAt: 4, head: 8, contents: chunk.big32(0), trailer: 4)
        case .riff:  // A zero follows contents of odd length.
            let length = chunk.little32(4)
            return skipChunk(nameAt: 0, head: 8, contents: length, trailer: (length ?? 0) & 1)
        case .box:
            // The length includes the head. 0 stands for the rest of the file, 1 for a length of 64 bits after the name.
            switch chunk.big32(0) {
            case 0: return skipChunk(nameAt: 4, head: 8, contents: chunk.count &- 8)
            case 1:
                return skipChunk(nameAt: 4, head: 16, contents: chunk.big64(8).map { $0 &- 16 })
            case let length:
                return skipChunk(nameAt: 4, head: 8, contents: length.map { $0 &- 8 })
            }
        }
    }

    /// Moves past a chunk that consists of a head with its name, contents and a trailer of these lengths.
    ///
    /// - Returns: The chunk; `nil` if the length of its contents is missing or negative.
    private mutating func skipChunk(
        nameAt nameOffset: Int, head: Int, contents length: Int?, trailer: Int = 0
    ) -> Chunk? {
        guard let length, let name = rest?.name(at: nameOffset),
            let contents = rest?.part(from: head, count: length)
        else { return nil }
        rest = rest?.part(from: head)?.part(from: length)?.part(from: trailer)
        return Chunk(name: name, contents: contents, isWhole: rest != nil)
    }
}

extension MediaBytes {
    var pngChunks: MediaChunks { MediaChunks(part(from: 8), .png) }
    var webPChunks: PrefixSequence<MediaChunks> {
        MediaChunks(part(from: 12), .riff).prefix(Self.maximumParts)
    }

    /// The boxes in these bytes, at most a thousand, as a hostile file may have millions.
    var boxes: PrefixSequence<MediaChunks> { MediaChunks(self, .box).prefix(1_000) }

    func pngLayout() -> MediaLayout? {
        // The first chunk, IHDR, begins with the size.
        var layout = MediaLayout(width: big32(16), height: big32(20))
        for chunk in pngChunks.prefix(Self.maximumParts) {
            if chunk.name == "IDAT" { break }
            if chunk.name == "eXIf" {
                layout?.orientation = Orientation(exif: chunk.contents) ?? .upright
            }
            if chunk.name == "acTL" { layout?.isAnimated = true }
        }
        return layout
    }

    func webPLayout() -> MediaLayout? {
        guard let first = webPChunks.first(where: { _ in true }) else { return nil }
        let contents = first.contents
        switch first.name {
        case "VP8 ":  // Width and height have 14 bits each, after the frame tag and the start code.
            return MediaLayout(
                width: contents.little16(6).map { $0 & 0x3fff },
                height: contents.little16(8).map { $0 & 0x3fff })
        case "VP8L":  // Each has 14 bits and is stored less one, after the signature.
            let bits = contents.little32(1)
            return MediaLayout(
                width: bits.map { $0 & 0x3fff &+ 1 }, height: bits.map { $0 >> 14 & 0x3fff &+ 1 })
        case "VP8X":  // The canvas: 24 bits each, stored less one, after the flags.
            var layout = MediaLayout(
                width: contents.little32(4).map { $0 & 0xff_ffff &+ 1 },
                height: contents.little32(6).map { $0 >> 8 &+ 1 })
            let exif = webPChunks.first { $0.name == "EXIF" }
            layout?.orientation = exif.flatMap { Orientation(exif: $0.contents) } ?? .upright
            layout?.isAnimated = contents.byte(0).map { $0 & 2 != 0 } ?? false
            return layout
        default:
            return nil
        }
    }

    /// The color profile of a WebP; `nil` if it has none.
    package func webPProfile() -> MediaBytes? {
        webPChunks.first { $0.name == "ICCP" }?.contents
    }

    /// The layout of an AVIF or HEIC: the largest size of its `ispe` boxes, turned by its `irot` box.
    ///
    /// Smaller sizes are those of tiles and thumbnails. The boxes (ImageSpatialExtents and ImageRotation) are in ipco, in
    /// iprp, in meta; see ISO 23008-12, sections 6.5.3 and 6.5.10.
    func stillLayout() -> MediaLayout? {
        func contents(of name: String, in bytes: MediaBytes?) -> MediaBytes? {
            bytes?.boxes.first { $0.name == name }?.contents
        }
        // meta and ispe begin with a version and flags.
        let meta = contents(of: "meta", in: self)?.part(from: 4)
        guard let properties = contents(of: "ipco", in: contents(of: "iprp", in: meta))?.boxes
        else { return nil }
        var layout = properties.filter { $0.name == "ispe" }.compactMap { box in
            MediaLayout(width: box.contents.big32(4), height: box.contents.big32(8))
        }.max { $0.size.pixelCount < $1.size.pixelCount }
        let turns = properties.first { $0.name == "irot" }?.contents.byte(0)
        // Quarter turns counterclockwise.
        if turns.map({ $0 & 1 == 1 }) == true { layout?.orientation = .onRightSide }
        return layout
    }

    /// Whether there is a `moov` box, without which no program plays a video; see ISO 14496-12, section 8.2.1.
    var hasMovie: Bool { boxes.contains { $0.name == "moov" } }
}
