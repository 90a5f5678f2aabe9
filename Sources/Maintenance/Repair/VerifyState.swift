package import APOD
package import FoundationEssentials
package import JSON
package import Mirror
internal import Platform

/// The state of the daily verification: the contents of `verify.json`.
///
/// If the file is deleted, the walk over all days restarts.
package struct VerifyState: Hashable, Codable, Sendable {
    /// Damage that is not repaired yet.
    package struct Damage: Hashable, Codable, Sendable {
        package let path: String
        package let day: Day?
        package let kind: VerifyFinding.Kind
        /// A sentence for people.
        package let text: String
        package let since: Date

        init(_ finding: VerifyFinding, at now: Date) {
            path = finding.path
            day = finding.day
            kind = finding.kind
            text = "\(finding)"
            since = now
        }
    }

    /// The first day of the next slice; `nil` at the beginning of a walk over all days.
    package var next: Day?
    package var lastSlice: Date?
    /// When the last walk over all days, or the last verification of all days by a command, ended.
    package var lastComplete: Date?
    /// How many findings were repaired since the mirror exists.
    package var repaired = 0
    package private(set) var damage: [Damage] = []

    /// The maximum number of recorded findings; further ones are found again later.
    private static let maximumDamage = 1_000

    /// The days whose files are read, and downloaded again, by the next sync.
    package var suspects: Set<Day> { Set(damage.compactMap(\.day)) }

    /// Whether a slice is due, 20 hours after the last one: one a day, also if a sync is earlier.
    func isDue(at now: Date) -> Bool {
        guard let lastSlice else { return true }
        let seconds = now.timeIntervalSince(lastSlice)
        // A time in the future was recorded by a wrong clock.
        return seconds < 0 || seconds >= 20 * 3600
    }

    func damage(in scope: VerifyScope) -> [Damage] { damage.filter { scope.contains($0.day) } }

    /// Adds the damage that an incomplete verification found.
    mutating func add(_ findings: [VerifyFinding], at now: Date) {
        let known = Set(damage.map(\.path))
        damage += findings.filter { !known.contains($0.path) }.map { Damage($0, at: now) }
        damage = Array(damage.prefix(Self.maximumDamage))
    }

    /// Replaces the damage in `scope` by what `repairs` left, and counts what was repaired by anybody.
    mutating func record(_ repairs: [Repair], in scope: VerifyScope, at now: Date) {
        let known = damage(in: scope)
        let open = repairs.filter { !$0.isDone && !$0.isLost }.map { Damage($0.finding, at: now) }
        let (knownPaths, openPaths) = (Set(known.map(\.path)), Set(open.map(\.path)))
        let lostPaths = Set(repairs.filter(\.isLost).map(\.finding.path))
        let repairedKnown = knownPaths.subtracting(openPaths).subtracting(lostPaths).count
        let repairedNew = repairs.count { $0.isDone && !knownPaths.contains($0.finding.path) }
        // A damaged file may contain any number.
        repaired = max(0, repaired).addingSaturating(repairedKnown + repairedNew)
        damage = damage.filter { !scope.contains($0.day) }
        damage += known.filter { openPaths.contains($0.path) }
        damage += open.filter { !knownPaths.contains($0.path) }
        damage = Array(damage.prefix(Self.maximumDamage))
    }
}

extension VerifyState {
    /// The stored state of `tree`; empty if there is none.
    package static func read(from tree: Tree) -> VerifyState {
        (try? tree.state(at: Layout.verify)) ?? VerifyState()
    }
}

extension VerifyState.Damage {
    /// As `status --json` prints it.
    package var json: JSON {
        [
            "date": day.map { .string("\($0)") } ?? .null, "kind": .string(kind.rawValue),
            "path": .string(path), "text": .string(text), "since": .string(since.timestamp),
        ]
    }
}
