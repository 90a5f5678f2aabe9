internal import CTurboJPEG

extension Chart {
    /// How a JPEG has its colours.
    package enum Kind: CaseIterable, Sendable {
        case halfColour, fullColour, progressive, grey, fourInks
    }

    /// The chart as a JPEG file, by libjpeg-turbo.
    package func jpeg(_ kind: Kind = .halfColour) -> [UInt8] {
        switch kind {
        case .halfColour: jpeg(rgb, TJPF_RGB, TJSAMP_420)
        case .fullColour: jpeg(rgb, TJPF_RGB, TJSAMP_444)
        case .progressive: jpeg(rgb, TJPF_RGB, TJSAMP_420, TJFLAG_PROGRESSIVE)
        case .grey: jpeg(pixels { [Self.greys[$0]] }, TJPF_GRAY, TJSAMP_GRAY)
        // Negative, as Adobe's marker says, and without black.
        case .fourInks:
            jpeg(
                pixels { [Self.fields[$0].x, Self.fields[$0].y, Self.fields[$0].z, 255] },
                TJPF_CMYK, TJSAMP_444)
        }
    }

    package static let greys: [UInt8] = [10, 90, 170, 250]

    private func jpeg(
        _ samples: [UInt8], _ format: TJPF, _ sampling: TJSAMP, _ flags: CInt = 0
    ) -> [UInt8] {
        JPEGFile.encoded(samples, (width, height), format, sampling, flags: flags)
    }
}

/// `file` with a segment behind the start of the image.
package func inserting(_ marker: UInt8, _ bytes: [UInt8], into file: [UInt8]) -> [UInt8] {
    let length = bytes.count + 2
    return file[..<2] + [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + bytes
        + file[2...]
}
