/// The chunks of a PNG or WebP, or the boxes of an MP4, AVIF or HEIC, one after the other.
///
/// Each chunk or box has a name of four characters, a length and contents; see PNG 5.3, RFC 9649 section 2.3, ISO 14496-12
/// section 4.2. A length may be wrong or hostile: no contents extend beyond the end of the file, the number of chunks has a
/// limit, and arithmetic wraps, because an overflow would end the process.
struct MediaChunks: Sequence, IteratorProtocol {
    enum Format {
        case png, webP, boxes
    }

    struct Chunk {
        let name: String
        /// The contents as far as the file has them.
        let contents: MediaBytes
        /// Whether the file has the whole chunk, so that another one may follow.
        let isWhole: Bool
    }

    private let format: Format
    /// The bytes after the last chunk; `nil` if the file ends within that chunk.
    private var rest: MediaBytes?
    /// How many more chunks are returned.
    private var remaining: Int

    /// Reads the chunks that begin at the start of `bytes`, at most `limit`, because a hostile file may have millions.
    init(_ format: Format, in bytes: MediaBytes?, limit: Int) {
        self.format = format
        rest = bytes
        remaining = limit
    }

    /// Returns the next chunk; `nil` at the end, and if the head of the next chunk is cut off or invalid.
    mutating func next() -> Chunk? {
        guard remaining > 0, let bytes = rest, let head = readHead(of: bytes),
            let name = bytes.name(at: head.nameOffset), let body = bytes.part(from: head.length),
            let contents = body.part(from: 0, count: head.contentsLength)
        else { return nil }
        remaining &-= 1
        rest = body.part(from: head.contentsLength)?.part(from: head.trailerLength)
        return Chunk(name: name, contents: contents, isWhole: rest != nil)
    }

    /// What comes before the contents of a chunk, and says how long they are.
    private struct Head {
        let nameOffset: Int
        let length: Int
        /// Negative if the head is invalid.
        let contentsLength: Int
        /// The number of bytes between the contents and the next chunk.
        var trailerLength = 0
    }

    /// Reads the head at the start of `bytes`; `nil` if it is cut off.
    private func readHead(of bytes: MediaBytes) -> Head? {
        switch format {
        case .png:
            guard let length = bytes.big32(0) else { return nil }
            // A checksum follows the contents.
            return Head(nameOffset: 4, length: 8, contentsLength: length, trailerLength: 4)
        case .webP:
            guard let length = bytes.little32(4) else { return nil }
            // A zero follows contents of odd length.
            return Head(nameOffset: 0, length: 8, contentsLength: length, trailerLength: length & 1)
        case .boxes:
            guard let length = bytes.big32(0) else { return nil }
            return headOfBox(ofLength: length, in: bytes)
        }
    }

    /// The head of a box of `length` bytes, which include the head.
    private func headOfBox(ofLength length: Int, in bytes: MediaBytes) -> Head? {
        switch length {
        case 0:  // The box has the rest of the file.
            return Head(nameOffset: 4, length: 8, contentsLength: bytes.count &- 8)
        case 1:  // A length of 64 bits, which may be negative here, follows the name.
            guard let longLength = bytes.big64(8) else { return nil }
            return Head(nameOffset: 4, length: 16, contentsLength: longLength &- 16)
        default:
            return Head(nameOffset: 4, length: 8, contentsLength: length &- 8)
        }
    }
}
