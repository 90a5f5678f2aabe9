internal import CTurboJPEG
internal import PictureWriting

extension Chart {
    /// How a JPEG has its colors.
    package enum Kind: CaseIterable, Sendable {
        case halfColor, fullColor, progressive, gray, fourInks
    }

    /// The chart as a JPEG file, by libjpeg-turbo.
    package func jpeg(_ kind: Kind = .halfColor) -> [UInt8] {
        switch kind {
        case .halfColor: jpeg(rgb, TJPF_RGB, TJSAMP_420)
        case .fullColor: jpeg(rgb, TJPF_RGB, TJSAMP_444)
        case .progressive: jpeg(rgb, TJPF_RGB, TJSAMP_420, TJFLAG_PROGRESSIVE)
        case .gray: jpeg(pixels { [Self.grays[$0]] }, TJPF_GRAY, TJSAMP_GRAY)
        // Negative, as Adobe's marker says, and without black.
        case .fourInks:
            jpeg(
                pixels { [Self.fields[$0].x, Self.fields[$0].y, Self.fields[$0].z, 255] },
                TJPF_CMYK, TJSAMP_444)
        }
    }

    package static let grays: [UInt8] = [10, 90, 170, 250]

    /// The chart as a JPEG file with a profile of so many segments of the largest size, 64 KiB.
    package func profiledJPEG(segments: Int) -> [UInt8] {
        let file = jpeg()
        let segment = [0xff, 0xe2, 0xff, 0xff] + [UInt8](repeating: 1, count: 65_533)
        return file[..<2] + repeated(segment, segments) + file[2...]
    }

    private func jpeg(
        _ samples: [UInt8], _ format: TJPF, _ sampling: TJSAMP, _ flags: CInt = 0
    ) -> [UInt8] {
        JPEGFile.encoded(samples, (width, height), format, sampling, flags: flags)
    }
}

/// `bytes` so many times over.
package func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(bytes.count * count)
    for _ in 0..<count { all += bytes }
    return all
}

/// `file` with a segment behind the start of the image.
package func inserting(_ marker: UInt8, _ bytes: [UInt8], into file: [UInt8]) -> [UInt8] {
    let length = bytes.count + 2
    return file[..<2] + [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + bytes
        + file[2...]
}
