import MediaFormat
import PictureSamples

@testable import ThumbnailRenderer

/// The colors in the middle of each quarter of a thumbnail.
func fields(of thumbnail: [UInt8]) throws -> [Chart.Color] {
    let pixels = try decoded(thumbnail)
    return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
        pixels.color(pixels.size.width * x / 4, pixels.size.height * y / 4)
    }
}

/// A decoded thumbnail.
func decoded(_ jpeg: [UInt8]) throws -> PixelBuffer {
    try JPEGDecoder.pixels(of: jpeg.span, header(of: jpeg), fittedTo: 1 << 20)
}

func header(of jpeg: [UInt8]) throws(PictureError) -> JPEGHeader {
    try unsafe jpeg.withUnsafeBufferPointer { bytes throws(PictureError) in
        try unsafe JPEGHeader(of: MediaBytes(bytes))
    }
}

extension PixelBuffer {
    func color(_ column: Int, _ row: Int) -> Chart.Color {
        let start = (row * size.width + column) * 3
        return Chart.Color(bytes[start], bytes[start + 1], bytes[start + 2])
    }
}

/// Whether two colors are equal within the losses of JPEG.
func isAlike(_ left: Chart.Color, _ right: Chart.Color, within tolerance: Int = 10) -> Bool {
    (0..<3).allSatisfy { abs(Int(left[$0]) - Int(right[$0])) <= tolerance }
}

func areAlike(_ left: [Chart.Color], _ right: [Chart.Color]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { isAlike($0, $1) }
}

/// The thumbnail of a file.
func thumbnail(of file: [UInt8]) throws(PictureError) -> [UInt8] {
    try Thumbnailer.thumbnail(of: file.span, comment: "a test")
}
