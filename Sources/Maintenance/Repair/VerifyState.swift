package import APOD
package import FoundationEssentials
package import JSON
package import Mirror
package import Platform

/// How far the daily verification is, and which damage is open: the contents of `.apod-mirror/verify.json`.
///
/// If the file is deleted, the walk over all days starts again.
package struct VerifyState: Hashable, Codable, Sendable {
    /// Damage that is not repaired yet.
    package struct Damage: Hashable, Codable, Sendable {
        package let path: String
        package let day: Day?
        package let kind: VerifyFinding.Kind
        /// A sentence for people.
        package let text: String
        package let since: Date

        init(_ finding: VerifyFinding, since: Date) {
            path = finding.path
            day = finding.day
            kind = finding.kind
            text = "\(finding)"
            self.since = since
        }

        /// As `status --json` prints it.
        package var json: JSON {
            [
                "date": day.map { .string("\($0)") } ?? .null, "kind": .string(kind.rawValue),
                "path": .string(path), "text": .string(text), "since": .string(since.timestamp),
            ]
        }
    }

    /// The first day of the next ``VerifySlice``; `nil` at the beginning of a walk over all days.
    package var next: Day?
    /// When the last slice was verified.
    package var lastSlice: Date?
    /// When the last walk over all days, or the last verification of all days by a command, ended.
    package var lastComplete: Date?
    /// How many findings were repaired, as far as this file knows.
    package var repaired = 0
    package private(set) var damage: [Damage] = []

    /// The maximum number of recorded findings; further ones are found, and repaired, by a later walk.
    private static let maximumDamage = 1_000
    private static let slicePause = 20.0 * 3600

    /// The days with damage, which a sync repairs.
    package var suspects: Set<Day> {
        Set(damage.lazy.filter { $0.kind != .unreadable }.compactMap(\.day))
    }

    /// The days of which something could not be read.
    var unreadableDays: Set<Day> {
        Set(damage.lazy.filter { $0.kind == .unreadable }.compactMap(\.day))
    }

    /// The days with any finding, which the next slice reads again.
    var openDays: Set<Day> { Set(damage.compactMap(\.day)) }

    /// Whether a slice is due: 20 hours after the last one, so that there is one a day if syncs vary by some hours.
    func isSliceDue(at now: Date) -> Bool {
        guard let lastSlice else { return true }
        let seconds = now.timeIntervalSince(lastSlice)
        // A time in the future was recorded by a wrong clock.
        return seconds < 0 || seconds >= Self.slicePause
    }

    /// The known damage of which `findings`, those of `scope`, say whether it is still there: of a day that could not be read
    /// they say so of what they name.
    func damage(decidedBy findings: [VerifyFinding], in scope: VerifyScope) -> [Damage] {
        let named = Set(findings.map(\.path))
        let unreadable = Set(findings.lazy.filter { $0.kind == .unreadable }.compactMap(\.day))
        return damage.filter { damage in
            if named.contains(damage.path) { return true }
            return scope.contains(damage.day) && !(damage.day.map(unreadable.contains) ?? false)
        }
    }

    /// Records a verification of `scope` and its `repairs`, one for each finding.
    ///
    /// Known damage that was decided, and not found again, counts as repaired: by a sync, a scan or a user.
    mutating func record(_ repairs: [Repair], in scope: VerifyScope, at now: Date) {
        let failed = repairs.filter { !$0.isDone }
        let decided = damage(decidedBy: repairs.map(\.finding), in: scope).map(\.path)
        let doneOrKnown = repairs.filter(\.isDone).map(\.finding.path) + decided
        let nowRepaired = Set(doneOrKnown).subtracting(failed.map(\.finding.path))
        // A damaged verify.json may have any number.
        repaired = max(0, repaired).addingSaturating(nowRepaired.count)
        // A finding of a path that was damaged before keeps its time.
        let times = Dictionary(damage.map { ($0.path, $0.since) }) { first, _ in first }
        let others = damage.filter { !decided.contains($0.path) }
        let found = failed.map { Damage($0.finding, since: times[$0.finding.path] ?? now) }
        damage = Array((others + found).prefix(Self.maximumDamage))
    }

    /// The stored state of `tree`; empty, so that all is verified again, if the file is missing or damaged.
    package static func read(from tree: Tree) throws(SystemError) -> VerifyState {
        try tree.state(at: Layout.verify) ?? VerifyState()
    }
}

/// The days that one daily verification reads, a thirtieth of the mirror: after 30 days, all files were read.
struct VerifySlice: Hashable {
    /// The first slice begins at ``Day/first``, the last one ends at ``Day/last``.
    let range: ClosedRange<Day>
    /// The first day of the following slice; `nil` if the walk over all days ends with this one.
    let next: Day?

    private static let slices = 30
    private static let minimumDays = 10

    /// Takes all days of the mirror, sorted; `first` is `nil` for the first slice, which also follows the last day.
    init(of days: [Day], from first: Day?) {
        // One more than a thirtieth, rounded up, as a day is added every day.
        let size = max((days.count - 1) / Self.slices + 2, Self.minimumDays)
        let start = first.flatMap { first in days.firstIndex { $0 >= first } }
        let begin = start == nil ? Day.first : first ?? .first
        let end = (start ?? 0) + size
        next = end < days.count ? days[end] : nil
        range = begin...(next?.advanced(by: -1) ?? .last)
    }
}
