/// Exif data, and files that contain it.
package enum ExifData {
    /// Data whose only tag is `orientation`; see Exif 2.32, section 4.6.4.
    package static func bytes(orientation: Int, isBig: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ length: Int) -> [UInt8] {
            let bytes = (0..<length).map { UInt8(value >> (8 * $0) & 0xff) }
            return isBig ? bytes.reversed() : bytes
        }
        return Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(1, 2)
            + number(274, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
            + number(0, 4)
    }

    /// `jpeg` with a segment of `exif`.
    package static func inserted(_ exif: [UInt8], intoJPEG jpeg: [UInt8]) -> [UInt8] {
        inserting(0xe1, Array("Exif\0\0".utf8) + exif, into: jpeg)
    }

    /// `webp`, a simple file of 96 by 64 pixels, with chunks of `exif` and of a `profile`; see RFC 9649, section 2.7.
    package static func inserted(
        _ exif: [UInt8] = [], profile: [UInt8] = [], intoWebP webp: [UInt8]
    ) -> [UInt8] {
        func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            let count = (0..<4).map { UInt8(bytes.count >> (8 * $0) & 0xff) }
            return Array(name.utf8) + count + bytes + (bytes.count % 2 == 0 ? [] : [0])
        }
        let flags: UInt8 = (profile.isEmpty ? 0 : 0x20) | (exif.isEmpty ? 0 : 8)
        let header = chunk("VP8X", [flags, 0, 0, 0, 95, 0, 0, 63, 0, 0])
        let body =
            Array("WEBP".utf8) + header + (profile.isEmpty ? [] : chunk("ICCP", profile))
            + webp[12...] + (exif.isEmpty ? [] : chunk("EXIF", exif))
        return chunk("RIFF", body)
    }
}
