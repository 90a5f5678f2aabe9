/// Random numbers that are the same for the same seed, by Sebastiano Vigna's SplitMix64.
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Evenly between the bounds.
    mutating func float(_ range: ClosedRange<Float> = 0...1) -> Float {
        range.lowerBound + Float(next() >> 40) / Float(1 << 24)
            * (range.upperBound - range.lowerBound)
    }

    /// One of `elements`, which are not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(next() % UInt64(elements.count))]
    }
}
