internal import Platform

final class RenderedPictureCache: Sendable {
    private let drawn = Monitor<[Drawing: [UInt8]]>([:])

    /// The maximum number of pictures.
    private static let capacity = 128

    /// The file of `drawing`, from the cache or newly drawn.
    func bytes(of drawing: Drawing) -> [UInt8] {
        var plain = drawing
        plain.comment = nil
        let file = drawn.withLock { $0[plain] } ?? draw(plain)
        return drawing.comment.map { drawing.format.adding($0, to: file) } ?? file
    }

    /// Draws outside the lock; concurrent requests may draw the same picture twice.
    private func draw(_ drawing: Drawing) -> [UInt8] {
        let file = drawing.encoded()
        drawn.withLock { drawn in
            if drawn.count >= Self.capacity { drawn = [:] }
            drawn[drawing] = file
        }
        return file
    }
}

extension Drawing.Format {
    /// `file` with an embedded comment.
    func adding(_ comment: String, to file: [UInt8]) -> [UInt8] {
        let text = Array(comment.utf8.prefix(200))
        let count = UInt8(text.count)
        switch self {
        case .jpeg:
            // A COM segment after SOI; see ITU-T T.81, B.2.4.5.
            return file[..<2] + [0xff, 0xfe, 0, count + 2] + text + file[2...]
        case .png:
            let end = file.count - 12
            return file[..<end] + Self.textChunk(text) + file[end...]
        case .gif:
            // A comment extension before the trailer; see GIF89a, section 24.
            return file.dropLast() + [0x21, 0xfe, count] + text + [0, 0x3b]
        }
    }

    /// A `tEXt` chunk before IEND; see the PNG specification, section 11.3.3.2.
    private static func textChunk(_ text: [UInt8]) -> [UInt8] {
        let data = Array("tEXtComment".utf8) + [0] + text
        return TinyFile.word(data.count - 4) + data + TinyFile.word(Int(crc32(data)))
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc = ~UInt32(0)
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ 0xedb8_8320 }
        }
        return ~crc
    }
}
