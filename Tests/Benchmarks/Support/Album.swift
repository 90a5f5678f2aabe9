import Glibc
import Platform
import Simulator

/// A directory of reproducible files with JPEG headers and noise.
struct Album {
    let path: String
    /// In bytes, in the order of their names.
    let sizes: [Int]

    /// Fills `folder` with files of `sizes`.
    init(_ sizes: [Int], in folder: Directory) throws {
        path = folder.path
        self.sizes = sizes
        for (index, size) in sizes.enumerated() {
            try Self.write(size, to: folder, as: Self.name(index), seed: UInt64(index))
        }
    }

    var bytes: Int { sizes.reduce(0, +) }

    /// `00001.jpg`.
    static func name(_ index: Int) -> String {
        let digits = String(index + 1)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".jpg"
    }

    /// `count` sizes from 30 kB to 8 MB, most of them small, 0.8 MB on average, shuffled.
    static func sizes(_ count: Int) -> [Int] {
        var random = SplitMix64(seed: 1)
        return (0..<count).map { index in
            let place = (Double(index) + 0.5) / Double(count)
            return Int(30_000 * pow(8_000.0 / 30, place * place))
        }.shuffled(using: &random)
    }

    private static func write(
        _ size: Int, to folder: Directory, as name: String, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let file = try folder.open(name, O_WRONLY | O_CREAT | O_EXCL)
        try file.write(header, path: name)
        var rest = max(size - header.count - end.count, 0)
        while rest > 0 {
            // As in real data, a byte of 256 is 0xff, with a 0 behind it: see ITU-T T.81, F.1.2.3.
            let noise = (0..<8192).map { word in
                let bits = random.next() & 0xfefe_fefe_fefe_fefe
                return (word % 32 == 0 ? bits & ~0xffff | 0xff : bits).littleEndian
            }
            let part = min(rest, noise.count * 8)
            try file.write(
                unsafe noise.withUnsafeBytes { unsafe Array($0.prefix(part)) }, path: name)
            rest -= part
        }
        try file.write(end, path: name)
    }

    /// The start of a baseline JPEG of 4000 x 3000 pixels; see ITU-T T.81, annex B.
    private static let header: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        + [0xff, 0xc0, 0, 17, 8, 0x0b, 0xb8, 0x0f, 0xa0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
    /// Its last marker.
    private static let end: [UInt8] = [0xff, 0xd9]
}
