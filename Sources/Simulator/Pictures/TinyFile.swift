/// Minimal files with valid signatures.
enum TinyFile {
    /// An MP4 with a type, a header of no length, and `comment` as its data; see ISO/IEC 14496-12.
    static func mp4(_ comment: String) -> [UInt8] {
        let brands = Array("isom".utf8) + [0, 0, 2, 0] + Array("isomiso2mp41".utf8)
        let header = [UInt8](repeating: 0, count: 12) + word(1000) + word(0)
        let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap(word)
        let rest =
            word(0x10000) + [1, 0] + [UInt8](repeating: 0, count: 10) + matrix
            + [UInt8](repeating: 0, count: 24) + word(1)
        return box("ftyp", brands) + box("moov", box("mvhd", header + rest))
            + box("mdat", Array(comment.utf8))
    }

    /// A TIFF of one grey pixel; see TIFF 6.0, section 4.
    static func tiff(_ comment: String) -> [UInt8] {
        let fields: [(tag: UInt16, type: UInt16, value: UInt16)] = [
            (256, 3, 1), (257, 3, 1), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8),
            (277, 3, 1), (278, 3, 1), (279, 4, 1),
        ]
        var file = Array("II".utf8) + [42, 0, 10, 0, 0, 0, 0x80, 0, UInt8(fields.count), 0]
        for field in fields {
            file +=
                little(field.tag) + little(field.type) + [1, 0, 0, 0] + little(field.value)
                + [0, 0]
        }
        return file + [0, 0, 0, 0] + Array(comment.utf8)
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        word(content.count + 8) + Array(name.utf8) + content
    }

    /// The last 32 bits, big-endian.
    private static func word(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func little(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
    }
}
