/// Smooth random values over the plane, between 0 and 1, the same for the same seed.
struct Noise: Sendable {
    private let values: [Float]
    private let order: [Int]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        values = (0..<256).map { _ in random.float() }
        order = (0..<256).shuffled(using: &random)
    }

    /// One octave.
    func value(_ point: SIMD2<Float>) -> Float {
        let base = point.rounded(.down)
        let part = point - base
        let weight = part * part * (3 - 2 * part)
        let (column, row) = (Int(base.x), Int(base.y))
        let upper = mix(at(column, row), at(column + 1, row), weight.x)
        let lower = mix(at(column, row + 1), at(column + 1, row + 1), weight.x)
        return mix(upper, lower, weight.y)
    }

    /// The mean of octaves, each of about half the size and half the strength of the one before.
    func cloud(_ point: SIMD2<Float>, octaves: Int = 6) -> Float {
        var (sum, total, strength): (Float, Float, Float) = (0, 0, 1)
        var point = point
        for _ in 0..<octaves {
            sum += strength * value(point)
            total += strength
            strength *= 0.52
            // Turned a little, so that the lattice does not show.
            point = SIMD2(1.64 * point.x - 1.16 * point.y, 1.16 * point.x + 1.64 * point.y) + 7.3
        }
        return sum / total
    }

    /// Thin bright threads where the cloud is in the middle of its range.
    func threads(_ point: SIMD2<Float>) -> Float {
        1 - min(1, abs(cloud(point, octaves: 5) - 0.5) * 7)
    }

    private func at(_ column: Int, _ row: Int) -> Float {
        values[order[(order[column & 255] + row) & 255]]
    }
}

func mix(_ one: Float, _ other: Float, _ weight: Float) -> Float {
    one + (other - one) * weight
}

/// 0 below `low`, 1 above `high`, smooth between.
func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
    let part = min(max((value - low) / (high - low), 0), 1)
    return part * part * (3 - 2 * part)
}
