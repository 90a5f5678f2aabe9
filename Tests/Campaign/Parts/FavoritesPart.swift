import FavoritesModel
import TestSupport

/// Applies random operations to `favorites/`, and compares the records with a model.
enum FavoritesPart: Part {
    static let name = "favorites"

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        repeat {
            let seed = trials.random.next() >> 20
            let script = try await Script.random(seed: seed, count: min(500, max(1, trials.left)))
            let count = script.counts.values.reduce(0, +)
            guard !script.differences.isEmpty else {
                trials.record([], in: "", count: count)
                continue
            }
            let shrunk = try await script.shrunk()
            trials.record(["\(shrunk)"], in: "operations of seed \(seed)", count: count)
        } while trials.hasTime
    }
}
