import FavoritesModel
import Platform
import Testing

/// The records match the model after any operations in `favorites/`.
@Suite struct PropertyTests {
    /// `APOD_MIRROR_OPERATIONS` sets the number of operations, for “make test-machine” 100,000; `APOD_MIRROR_SEED` the seed.
    private static let operations =
        processEnvironment()["APOD_MIRROR_OPERATIONS"].flatMap { Int($0) } ?? 8000
    private static let seed =
        processEnvironment()["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...99_999)

    /// Half of the operations each, so that two processors work.
    @Test(.timeLimit(.minutes(600)), arguments: [0, 1])
    func theDiskMatchesTheModel(half: UInt64) async throws {
        let operations = Self.operations / 2
        let first = Self.seed + 100_000 * half
        var counts: [String: Int] = [:]
        var effects: [String: Int] = [:]
        var seed = first
        while counts.values.reduce(0, +) < operations {
            let script = try await Script.random(seed: seed, count: 500)
            guard script.differences.isEmpty else {
                Issue.record("APOD_MIRROR_SEED=\(seed), shrunk:\n\(try await script.shrunk())")
                return
            }
            counts.merge(script.counts) { $0 + $1 }
            effects.merge(script.effects) { $0 + $1 }
            seed += 1
        }
        print(
            """
            seed \(first): \(counts.values.reduce(0, +)) operations in \(seed - first) trials, none \
            diverged: \(counts.inOrder); of which came: \(effects.inOrder)
            """)
        guard operations >= 25_000 else { return }
        // All kinds of operations and outcomes occurred.
        #expect(counts.count == 17)
        #expect(effects.count == 7 && effects.values.allSatisfy { $0 > 0 })
    }
}

extension [String: Int] {
    fileprivate var inOrder: String {
        sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
