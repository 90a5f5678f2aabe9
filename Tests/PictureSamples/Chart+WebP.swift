internal import CWebP

extension Chart {
    /// The chart as a WebP file, by libwebp; with opacity the last field is not seen.
    package func webp(isLossless: Bool = false, hasOpacity: Bool = false) -> [UInt8] {
        let pixels = pixels { field in
            let color = Self.fields[field]
            return [color.x, color.y, color.z, hasOpacity && field == 3 ? 0 : 255]
        }
        var file: UnsafeMutablePointer<UInt8>?
        let (width, height, stride) = (CInt(width), CInt(height), CInt(width * 4))
        let count =
            isLossless
            ? unsafe WebPEncodeLosslessRGBA(pixels, width, height, stride, &file)
            : unsafe WebPEncodeRGBA(pixels, width, height, stride, 95, &file)
        defer { unsafe WebPFree(file) }
        return unsafe Array(UnsafeBufferPointer(start: file, count: count))
    }

    /// A moving WebP of 8 by 4 pixels: red, then green.
    package static var movingWebP: [UInt8] {
        let red = frame([0x07, 0x10, 0xfd, 0x8f, 0xfe])
        let green = frame([0x07, 0xd0, 0xff, 0x88, 0xfe])
        let features = chunk("VP8X", [2, 0, 0, 0, 7, 0, 0, 3, 0, 0])
        let loop = chunk("ANIM", [255, 255, 255, 255, 0, 0])
        return chunk("RIFF", Array("WEBP".utf8) + features + loop + red + green)
    }

    /// A frame of one color for a tenth of a second: 8 by 4 pixels, lossless.
    private static func frame(_ color: [UInt8]) -> [UInt8] {
        let pixels = [0x2f, 0x07, 0xc0, 0, 0] + color + [0x07, 0x22, 0xa2, 0xff, 0x01]
        let place: [UInt8] = [0, 0, 0, 0, 0, 0, 7, 0, 0, 3, 0, 0, 100, 0, 0, 0]
        return chunk("ANMF", place + chunk("VP8L", pixels))
    }

    private static func chunk(_ name: StaticString, _ bytes: [UInt8]) -> [UInt8] {
        let padding: [UInt8] = bytes.count % 2 == 0 ? [] : [0]
        return Array(name.description.utf8) + [UInt8(bytes.count), 0, 0, 0] + bytes + padding
    }
}
