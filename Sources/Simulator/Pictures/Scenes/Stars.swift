internal import Glibc

/// The stars of a field: many faint ones, few bright ones, from blue to orange.
struct Stars {
    var count: Int
    /// The maximum brightness; 1 fills a pixel.
    var brightest: Float = 2.5

    func paint(_ canvas: inout Canvas, _ random: inout SplitMix64) {
        let aspect = Float(canvas.width) / Float(canvas.height)
        for _ in 0..<count {
            let point = SIMD2(random.float(-aspect...aspect), random.float(-1...1))
            // As in the real sky, three times as many stars at each magnitude as at the one before.
            let brightness = min(brightest, 0.032 / powf(random.float(0.0005...1), 0.7))
            paint(at: point, brightness, Self.colour(&random), on: &canvas)
        }
    }

    private func paint(
        at point: SIMD2<Float>, _ brightness: Float, _ colour: Canvas.Light, on canvas: inout Canvas
    ) {
        canvas.glow(at: point, radius: 0.0045 + 0.003 * brightness, colour * (0.25 + brightness))
        guard brightness > 0.35 else { return }
        canvas.glow(at: point, radius: 0.02 + 0.02 * brightness, colour * 0.10 * brightness)
        canvas.glow(at: point, radius: 0.09 * brightness, colour * 0.022 * brightness)
        guard brightness > 1.2 else { return }
        for step in 1...40 {
            let distance = Float(step) / 40
            let light = colour * (0.5 * brightness * (1 - distance) * (1 - distance))
            for direction in [SIMD2<Float>(1, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1)] {
                let offset = direction * (distance * 0.055 * brightness)
                canvas.glow(at: point + offset, radius: 0.003, light)
            }
        }
    }

    private static func colour(_ random: inout SplitMix64) -> Canvas.Light {
        let warmth = random.float()
        return switch warmth {
        case ..<0.35: SIMD3(0.70, 0.82, 1.0)
        case ..<0.7: SIMD3(0.98, 0.97, 0.95)
        case ..<0.9: SIMD3(1.0, 0.87, 0.68)
        default: SIMD3(1.0, 0.72, 0.48)
        }
    }
}
