/// A soft layer over a canvas, computed at a third of its size, as clouds are slow to compute.
struct Overlay {
    private let width: Int
    private let scale: Float
    private var lights: [SIMD4<Float>] = []

    /// `body` returns the light at a point and, as the fourth value, the transparency.
    init(over canvas: Canvas, _ body: (SIMD2<Float>) -> SIMD4<Float>) {
        scale = canvas.height < 200 ? 1 : 3
        width = Int(Float(canvas.width) / scale) + 2
        let height = Int(Float(canvas.height) / scale) + 2
        lights.reserveCapacity(width * height)
        for row in 0..<height {
            for column in 0..<width {
                lights.append(body(canvas.point(column * Int(scale), row * Int(scale))))
            }
        }
    }

    /// Blends the layer over `canvas`.
    func cover(_ canvas: inout Canvas) {
        let corner = canvas.point(0, 0)
        let pixels = canvas.unit / scale
        canvas.shade { point, behind in
            let layer = sample((point - corner) * pixels)
            let light = SIMD3(layer.x, layer.y, layer.z)
            return behind * layer.w + light
        }
    }

    private func sample(_ point: SIMD2<Float>) -> SIMD4<Float> {
        let base = point.rounded(.down)
        let part = point - base
        let index = Int(base.y) * width + Int(base.x)
        let upper = lights[index] + (lights[index + 1] - lights[index]) * part.x
        let next = index + width
        let lower = lights[next] + (lights[next + 1] - lights[next]) * part.x
        return upper + (lower - upper) * part.y
    }
}
