internal import CSPNG
internal import Glibc

extension Chart {
    /// How a PNG has its colours.
    package enum Samples: CaseIterable, Sendable {
        case truecolour, deep, alpha, deepAlpha, palette, paletteWithNone, grey, deepGrey
    }

    /// The chart as a PNG file, by libspng.
    ///
    /// - Parameters:
    ///   - samples: What a pixel is; of those with opacity, the last field is not seen.
    ///   - isInterlaced: Whether the rows come in seven passes.
    ///   - exif: An `eXIf` chunk.
    /// - Returns: The file.
    package func png(
        _ samples: Samples, isInterlaced: Bool = false, exif: [UInt8]? = nil
    ) -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        var header = spng_ihdr()
        header.width = UInt32(width)
        header.height = UInt32(height)
        header.bit_depth = samples.depth
        header.color_type = UInt8(samples.type.rawValue)
        header.interlace_method = isInterlaced ? 1 : 0
        unsafe spng_set_ihdr(encoder, &header)
        if header.color_type == SPNG_COLOR_TYPE_INDEXED.rawValue {
            unsafe setPalette(encoder, samples)
        }
        unsafe spng_set_option(encoder, SPNG_ENCODE_TO_BUFFER, 1)
        var exif = exif ?? []
        unsafe exif.withUnsafeMutableBytes { bytes in
            var chunk = unsafe spng_exif(
                length: bytes.count,
                data: bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            if unsafe !bytes.isEmpty { unsafe spng_set_exif(encoder, &chunk) }
            unsafe encode(samples, into: encoder)
        }
        return unsafe finished(encoder)
    }

    private func encode(_ samples: Samples, into encoder: OpaquePointer?) {
        let bytes = samples.bytes(of: self)
        let code = unsafe spng_encode_image(
            encoder, bytes, bytes.count, CInt(SPNG_FMT_PNG.rawValue),
            CInt(SPNG_ENCODE_FINALIZE.rawValue))
        precondition(code == 0, "spng_encode_image: \(code)")
    }

    private func finished(_ encoder: OpaquePointer?) -> [UInt8] {
        var (size, code) = (0, CInt(0))
        let file = unsafe spng_get_png_buffer(encoder, &size, &code)
        defer { unsafe free(file) }
        precondition(code == 0)
        return unsafe Array(UnsafeRawBufferPointer(start: file, count: size))
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

    package var isGrey: Bool { [.grey, .deepGrey].contains(self) }

    fileprivate var depth: UInt8 {
        [.deep, .deepAlpha, .deepGrey].contains(self) ? 16 : 8
    }

    fileprivate var type: spng_color_type {
        switch self {
        case .truecolour, .deep: SPNG_COLOR_TYPE_TRUECOLOR
        case .alpha, .deepAlpha: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA
        case .palette, .paletteWithNone: SPNG_COLOR_TYPE_INDEXED
        case .grey, .deepGrey: SPNG_COLOR_TYPE_GRAYSCALE
        }
    }

    /// The samples as libspng wants them: those of two bytes in the order of the machine.
    fileprivate func bytes(of chart: Chart) -> [UInt8] {
        chart.pixels { field in
            let colour = Chart.fields[field]
            let samples: [UInt8] =
                switch self {
                case .truecolour, .deep: [colour.x, colour.y, colour.z]
                case .alpha, .deepAlpha: [colour.x, colour.y, colour.z, field == 3 ? 0 : 255]
                case .palette, .paletteWithNone: [UInt8(field)]
                case .grey, .deepGrey: [Chart.greys[field]]
                }
            return depth == 16 ? samples.flatMap { [0, $0] } : samples
        }
    }
}
