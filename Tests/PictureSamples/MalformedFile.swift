/// Makes up pictures and videos: each has the structure of its format, but lengths and other numbers are often false,
/// and parts are missing, repeated, exchanged or cut.
///
/// The same random numbers give the same files.
package struct MalformedFile<Random: RandomNumberGenerator> {
    private var random: Random

    package init(random: Random) { self.random = random }

    /// The next file, of a few hundred bytes.
    package mutating func next() -> [UInt8] {
        var file =
            switch Int.random(in: 0..<7, using: &random) {
            case 0: jpeg()
            case 1: png()
            case 2: gif()
            case 3: webP()
            case 4: boxes()
            case 5: tiff()
            default: webM()
            }
        if isSeldom, !file.isEmpty { file.removeSubrange(place(in: file)...) }
        if isSeldom, !file.isEmpty { file[place(in: file)] = .random(in: 0...255, using: &random) }
        return file
    }

    // MARK: Choices

    private var isSeldom: Bool {
        mutating get { Int.random(in: 0..<8, using: &random) == 0 }
    }

    private mutating func place(in file: [UInt8]) -> Int {
        .random(in: 0..<file.count, using: &random)
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[.random(in: 0..<values.count, using: &random)]
    }

    /// At most `count` bytes, many of which mean something in some format.
    private mutating func anything(_ count: Int = 40) -> [UInt8] {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in
            Bool.random(using: &random)
                ? one(of: [0, 1, 2, 0x21, 0x2c, 0x3b, 0x7f, 0x80, 0xd8, 0xd9, 0xda, 0xe1, 0xff])
                : .random(in: 0...255, using: &random)
        }
    }

    /// `number` in so many bytes; seldom a false one.
    private mutating func number(_ number: Int, _ length: Int, isBig: Bool = true) -> [UInt8] {
        var number = number
        if isSeldom {
            number = one(of: [
                0, 1, 2, 3, 4, 6, 7, 8, 9, 16, number - 1, number + 1, number * 2, 0x7f, 0xff,
                0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff, 1 << 62,
                .max, .min, -1,
            ])
        }
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBig ? bytes.reversed() : bytes
    }

    /// Most of `parts`, mostly in their order.
    private mutating func most(of parts: [[UInt8]]) -> [UInt8] {
        var file: [UInt8] = []
        for part in isSeldom ? parts.shuffled(using: &random) : parts where !isSeldom {
            file += part
            if isSeldom { file += part }
        }
        return file
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: Formats

    private mutating func tiff() -> [UInt8] {
        let isBig = Bool.random(using: &random)
        let gap = anything(9)
        var file = text(isBig ? "MM" : "II") + number(42, 2, isBig: isBig)
        file += number(8 + gap.count, 4, isBig: isBig) + gap + number(5, 2, isBig: isBig)
        for tag in [254, 256, 257, 274, 34_853] {
            file += number(tag, 2, isBig: isBig) + number(one(of: [3, 4]), 2, isBig: isBig)
            // In four bytes, and in the first two of them.
            let value = one(of: [1, 6, 48])
            file += number(1, 4, isBig: isBig)
            file += number(isBig ? value << 16 | value : value, 4, isBig: isBig)
        }
        return file + anything(8)
    }

    private mutating func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let gap = isSeldom ? anything(5) : []
        return gap + [0xff, marker] + number(contents.count + 2, 2) + contents
    }

    private mutating func jpeg() -> [UInt8] {
        let exif = text("Exif\0\0")
        // Its length covers not all of the name that follows.
        let short = [0xff, 0xe1] + number(.random(in: 2...8, using: &random), 2) + exif
        let profile = text("ICC_PROFILE\0") + number(1, 1) + number(1, 1) + anything()
        let frame = [8] + number(48, 2) + number(64, 2) + number(3, 1) + anything(9)
        let parts = [
            segment(0xe0, anything()), segment(0xe1, exif + tiff()), short, segment(0xe2, profile),
            segment(0xdb, anything()), segment(one(of: [0xc0, 0xc2, 0xc4]), frame),
            segment(0xda, anything(9)), anything(90), [0xff, 0xd9],
        ]
        return [0xff, 0xd8] + most(of: parts)
    }

    private mutating func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        number(contents.count, 4) + text(name) + contents + [1, 2, 3, 4]
    }

    private mutating func png() -> [UInt8] {
        let header = number(64, 4) + number(48, 4) + [8, 2, 0, 0, 0]
        let parts = [
            chunk("eXIf", tiff()), chunk("acTL", anything(8)), chunk("tEXt", anything()),
            chunk("IDAT", anything()), chunk("IEND", []),
        ]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header)
            + most(of: parts)
    }

    private mutating func riff(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        let padding: [UInt8] = contents.count % 2 == 0 ? [] : [0]
        return text(name) + number(contents.count, 4, isBig: false) + contents + padding
    }

    private mutating func webP() -> [UInt8] {
        let canvas = number(2, 4) + number(63, 3, isBig: false) + number(47, 3, isBig: false)
        let parts = [
            riff("VP8X", canvas), riff(one(of: ["VP8 ", "VP8L"]), anything()),
            riff("ICCP", anything()), riff("ANMF", riff("VP8 ", anything())), riff("EXIF", tiff()),
        ]
        return riff("RIFF", text("WEBP") + most(of: parts))
    }

    private mutating func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: number(1, 4) + text(name) + number(contents.count + 16, 8) + contents
        case 1: number(0, 4) + text(name) + contents
        default: number(contents.count + 8, 4) + text(name) + contents
        }
    }

    private mutating func boxes() -> [UInt8] {
        let brands = one(of: ["avif\0\0\0\0mif1", "mif1\0\0\0\0heic", "isom\0\0\u{2}\0", "qt  "])
        let sizes = [64, 48].map { box("ispe", number(0, 4) + number($0, 4) + number(48, 4)) }
        let properties = box("ipco", most(of: sizes + [box("irot", number(1, 1))]))
        let parts = [
            box("meta", number(0, 4) + box("iprp", properties)), box("free", anything()),
            box("moov", box("trak", anything())), box("mdat", anything()),
        ]
        return box("ftyp", text(brands)) + most(of: parts)
    }

    private mutating func blocks(_ count: Int) -> [UInt8] {
        var file: [UInt8] = []
        for _ in 0..<count {
            let data = anything(20)
            file += number(data.count, 1) + data
        }
        return file + [0]
    }

    private mutating func image(_ width: Int, flags: UInt8) -> [UInt8] {
        let size = number(width, 2, isBig: false) + number(48, 2, isBig: false)
        return [0x2c] + number(0, 4) + size + [flags] + (flags == 0 ? [] : anything(12)) + [2]
            + blocks(2)
    }

    private mutating func gif() -> [UInt8] {
        let size = number(64, 2, isBig: false) + number(48, 2, isBig: false)
        let hasColors = isSeldom
        let parts = [
            [0, 0], [0x21, 0xf9] + blocks(1), image(0, flags: 0),
            image(64, flags: isSeldom ? 0x81 : 0), [0x3b],
        ]
        return text("GIF89a") + size + [hasColors ? 0x81 : 0, 0, 0]
            + (hasColors ? anything(12) : [])
            + most(of: parts)
    }

    private mutating func element(_ id: [UInt8], _ contents: [UInt8]) -> [UInt8] {
        // The length with its marker, in one byte or in eight.
        let length =
            Bool.random(using: &random)
            ? number(0x80 | contents.count, 1) : number(1 << 56 | contents.count, 8)
        return id + length + contents
    }

    private mutating func webM() -> [UInt8] {
        element([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x82, 0x84] + text("webm"))
            + element([0x18, 0x53, 0x80, 0x67], anything())
    }
}
