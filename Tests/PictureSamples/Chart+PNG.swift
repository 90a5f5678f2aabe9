internal import CSPNG
internal import PictureWriting

extension Chart {
    /// How a PNG has its colors.
    package enum Samples: CaseIterable, Sendable {
        case truecolor, deep, alpha, deepAlpha, palette, paletteWithNone, gray, deepGray
    }

    /// The chart as a PNG file, by libspng.
    ///
    /// - Parameters:
    ///   - samples: What a pixel is; of those with opacity, the last field is not seen.
    ///   - isInterlaced: Whether the rows come in seven passes.
    ///   - exif: An `eXIf` chunk.
    ///   - profile: A color profile.
    /// - Returns: The file.
    package func png(
        _ samples: Samples, isInterlaced: Bool = false, exif: [UInt8]? = nil,
        profile: [UInt8]? = nil
    ) -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        unsafe PNGWriter.setHeader(
            encoder, width, height, depth: samples.depth, samples.type, isInterlaced: isInterlaced)
        if samples.type == SPNG_COLOR_TYPE_INDEXED { unsafe setPalette(encoder, samples) }
        if let profile {
            unsafe PNGFile.withProfile(encoder, profile) {
                unsafe encode(samples, exif, into: encoder)
            }
        } else {
            unsafe encode(samples, exif, into: encoder)
        }
        return unsafe PNGWriter.finished(encoder)
    }

    /// `png` with the chunk by which it becomes an animation, behind IHDR; see PNG 11.3.6.1.
    package static func moving(_ png: [UInt8]) -> [UInt8] {
        png[..<33] + [0, 0, 0, 8] + Array("acTL".utf8) + [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
            + png[33...]
    }

    private func encode(_ samples: Samples, _ exif: [UInt8]?, into encoder: OpaquePointer?) {
        let pixels = samples.bytes(of: self)
        var exif = exif ?? []
        unsafe exif.withUnsafeMutableBytes { bytes in
            // The encoder keeps the address of the bytes only.
            var chunk = unsafe spng_exif(
                length: bytes.count,
                data: bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            if unsafe !bytes.isEmpty { unsafe spng_set_exif(encoder, &chunk) }
            let code = unsafe spng_encode_image(
                encoder, pixels, pixels.count, CInt(SPNG_FMT_PNG.rawValue),
                CInt(SPNG_ENCODE_FINALIZE.rawValue))
            precondition(code == 0, "spng_encode_image: \(code)")
        }
    }

    private func setPalette(_ encoder: OpaquePointer?, _ samples: Samples) {
        var palette = spng_plte()
        palette.n_entries = 4
        unsafe withUnsafeMutableBytes(of: &palette.entries) { entries in
            for (index, field) in Self.fields.enumerated() {
                unsafe entries.storeBytes(
                    of: SIMD4(field.x, field.y, field.z, 255), toByteOffset: index * 4,
                    as: SIMD4<UInt8>.self)
            }
        }
        unsafe spng_set_plte(encoder, &palette)
        guard samples == .paletteWithNone else { return }
        var transparency = spng_trns()
        transparency.n_type3_entries = 4
        unsafe withUnsafeMutableBytes(of: &transparency.type3_alpha) { alpha in
            unsafe alpha.copyBytes(from: [255, 255, 255, 0])
        }
        unsafe spng_set_trns(encoder, &transparency)
    }
}

extension Chart.Samples {
    package var hasOpacity: Bool { [.alpha, .deepAlpha, .paletteWithNone].contains(self) }

    package var isGray: Bool { [.gray, .deepGray].contains(self) }

    fileprivate var depth: UInt8 {
        [.deep, .deepAlpha, .deepGray].contains(self) ? 16 : 8
    }

    fileprivate var type: spng_color_type {
        switch self {
        case .truecolor, .deep: SPNG_COLOR_TYPE_TRUECOLOR
        case .alpha, .deepAlpha: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA
        case .palette, .paletteWithNone: SPNG_COLOR_TYPE_INDEXED
        case .gray, .deepGray: SPNG_COLOR_TYPE_GRAYSCALE
        }
    }

    /// The samples as libspng wants them: those of two bytes in the order of the machine.
    fileprivate func bytes(of chart: Chart) -> [UInt8] {
        chart.pixels { field in
            let color = Chart.fields[field]
            let samples: [UInt8] =
                switch self {
                case .truecolor, .deep: [color.x, color.y, color.z]
                case .alpha, .deepAlpha: [color.x, color.y, color.z, field == 3 ? 0 : 255]
                case .palette, .paletteWithNone: [UInt8(field)]
                case .gray, .deepGray: [Chart.grays[field]]
                }
            return depth == 16 ? samples.flatMap { [0, $0] } : samples
        }
    }
}
