internal import Glibc

/// Light on a picture, in linear units of red, green and blue.
struct Canvas: Sendable {
    typealias Light = SIMD3<Float>

    let width: Int
    let height: Int
    private(set) var pixels: [Light]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = Array(repeating: .zero, count: width * height)
    }

    /// The unit of length: half the height, so that a sky looks the same in every size.
    var unit: Float { Float(height) / 2 }

    /// The position of the centre of a pixel: 0, 0 is the centre of the picture, y grows downwards.
    func point(_ column: Int, _ row: Int) -> SIMD2<Float> {
        SIMD2(Float(2 * column - width + 1), Float(2 * row - height + 1)) / Float(height)
    }

    /// Changes every pixel by its position.
    mutating func shade(_ body: (SIMD2<Float>, Light) -> Light) {
        for row in 0..<height {
            for column in 0..<width {
                let index = row * width + column
                pixels[index] = body(point(column, row), pixels[index])
            }
        }
    }

    /// Adds light with a smooth fall-off: `radius` is where a twentieth is left.
    mutating func glow(at point: SIMD2<Float>, radius: Float, _ light: Light) {
        let centre = (point * Float(height) + SIMD2(Float(width - 1), Float(height - 1))) / 2
        let reach = max(1.5, radius * unit)
        // A spot smaller than a pixel fills only a part of it.
        let light = light * min(1, radius * unit / reach) * min(1, radius * unit / reach)
        guard centre.x > -reach, centre.y > -reach, centre.x < Float(width) + reach,
            centre.y < Float(height) + reach
        else { return }
        let rows = max(0, Int(centre.y - reach))...max(0, min(height - 1, Int(centre.y + reach)))
        let columns = max(0, Int(centre.x - reach))...max(0, min(width - 1, Int(centre.x + reach)))
        for row in rows {
            for column in columns {
                let offset = SIMD2(Float(column), Float(row)) - centre
                let distance = (offset * offset).sum() / (reach * reach)
                guard distance < 1 else { continue }
                pixels[row * width + column] +=
                    light * ((1 - distance) * (1 - distance) * (1 - distance))
            }
        }
    }

    /// Three bytes per pixel, with the tones of film: dark ones are raised, bright ones saturate.
    func developed() -> [UInt8] {
        let steps: Float = 1024
        let table = (0...Int(4 * steps)).map { step in
            UInt8(255 * powf(1 - expf(-Float(step) / steps * 1.6), 1 / 1.6))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pixels.count * 3)
        for pixel in pixels {
            let steps = pixel.clamped(lowerBound: .zero, upperBound: Light(repeating: 4)) * steps
            bytes.append(table[Int(steps.x)])
            bytes.append(table[Int(steps.y)])
            bytes.append(table[Int(steps.z)])
        }
        return bytes
    }
}
