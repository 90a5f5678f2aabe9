/// Mutates valid inputs: changes, removes, repeats and exchanges bytes.
///
/// The same seed yields the same inputs.
package struct Mutator {
    private var generator: SplitMix
    private let tokens: [[UInt8]]

    /// - Parameters:
    ///   - seed: Determines the inputs.
    ///   - tokens: Bytes to insert.
    package init(seed: UInt64, tokens: [[UInt8]]) {
        generator = SplitMix(state: seed)
        self.tokens = tokens
    }

    /// One of `samples` with up to four mutations.
    package mutating func mutated(_ samples: [[UInt8]]) -> [UInt8] {
        var bytes = samples.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 0...4, using: &generator) { change(&bytes, samples) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8], _ samples: [[UInt8]]) {
        let place = place(in: bytes)
        let range = place..<min(bytes.count, place + Int.random(in: 1...8, using: &generator))
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes.replaceSubrange(range, with: [UInt8.random(in: 0...255, using: &generator)])
        case 1 where place < bytes.count:
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.removeSubrange(range)
        case 3: bytes.removeSubrange(place...)
        case 4: bytes.insert(contentsOf: bytes[range], at: place)
        case 5: splice(&bytes, at: place, samples)
        default:
            bytes.insert(contentsOf: tokens.randomElement(using: &generator) ?? [], at: place)
        }
    }

    /// Continues with the rest of another sample.
    private mutating func splice(_ bytes: inout [UInt8], at place: Int, _ samples: [[UInt8]]) {
        let other = samples.randomElement(using: &generator) ?? []
        let start = self.place(in: other)
        bytes.replaceSubrange(place..., with: other[start...])
    }

    private mutating func place(in bytes: [UInt8]) -> Int {
        .random(in: 0...bytes.count, using: &generator)
    }
}
