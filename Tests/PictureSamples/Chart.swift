/// A picture of four fields: red, green, blue, white, from left to right and from top to bottom.
///
/// Nothing that is turned, mirrored or of wrong colors looks like it.
package struct Chart: Sendable {
    package typealias Color = SIMD3<UInt8>

    package let width: Int
    package let height: Int

    package static let fields: [Color] = [
        Color(230, 20, 20), Color(20, 200, 40), Color(30, 40, 220), Color(240, 240, 240),
    ]

    package init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of the field at a pixel.
    func field(_ column: Int, _ row: Int) -> Int {
        (row * 2 < height ? 0 : 2) + (column * 2 < width ? 0 : 1)
    }

    /// Of each pixel, row by row, what `body` makes of its field.
    func pixels<Sample>(_ body: (Int) -> [Sample]) -> [Sample] {
        let samples = (0..<4).map(body)
        // All rows are like the first or like the last.
        let (top, bottom) = (0, height - 1)
        let rows = [top, bottom].map { row in (0..<width).flatMap { samples[field($0, row)] } }
        return (0..<height).flatMap { rows[field(0, $0) / 2] }
    }

    /// Three bytes a pixel.
    package var rgb: [UInt8] {
        pixels { [Self.fields[$0].x, Self.fields[$0].y, Self.fields[$0].z] }
    }

    /// The number of the field of each pixel.
    var indices: [UInt8] { pixels { [UInt8($0)] } }
}
