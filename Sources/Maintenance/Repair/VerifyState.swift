package import APOD
package import FoundationEssentials
package import JSON
package import Mirror
package import Platform

/// How far the daily verification is, and which damage is not repaired: the contents of `.apod-mirror/verify.json`.
///
/// If the file is deleted, the walk over all days begins again.
package struct VerifyState: Hashable, Codable, Sendable {
    /// A finding that is not repaired yet.
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
    package var lastSlice: Date?
    /// When all days were last verified, by a walk or by a command.
    package var lastComplete: Date?
    /// How many findings were repaired since this file exists.
    package var repaired = 0
    /// The findings that are not repaired yet; the maximum number is ``maximumDamage``.
    package private(set) var damage: [Damage] = []

    /// The maximum number of recorded findings; a later walk finds the others.
    private static let maximumDamage = 1_000
    private static let slicePause = 20.0 * 3600

    /// The days of ``damage``; the next slice reads them again.
    var daysWithDamage: Set<Day> { Set(damage.compactMap(\.day)) }

    /// The days with a file that is wrong or missing, which a sync repairs.
    package var suspects: Set<Day> {
        Set(damage.lazy.filter { $0.kind != .unreadable }.compactMap(\.day))
    }

    /// The days with a file that could not be read; a day may also be one of the ``suspects``, for another file.
    var unreadableDays: Set<Day> {
        Set(damage.lazy.filter { $0.kind == .unreadable }.compactMap(\.day))
    }

    /// Whether a slice is due: 20 hours after the last one, so that there is one a day even if syncs are irregular.
    func isSliceDue(at now: Date) -> Bool {
        guard let lastSlice else { return true }
        let seconds = now.timeIntervalSince(lastSlice)
        // A time in the future was recorded by a wrong clock.
        return seconds < 0 || seconds >= Self.slicePause
    }

    /// The known damage for which `findings`, which are all in `scope`, show whether it is still there.
    ///
    /// Of a day that could not be read, only the damage that a finding names is decided.
    func damage(decidedBy findings: [VerifyFinding], in scope: VerifyScope) -> [Damage] {
        let named = Set(findings.map(\.path))
        let unreadable = Set(findings.lazy.filter { $0.kind == .unreadable }.compactMap(\.day))
        return damage.filter { damage in
            if named.contains(damage.path) { return true }
            if let day = damage.day, unreadable.contains(day) { return false }
            return scope.contains(damage.day)
        }
    }

    /// Records a verification of `scope` and its `repairs`, one for each finding.
    ///
    /// Known damage that was not found again counts as repaired, by a sync, a scan or a user.
    mutating func record(_ repairs: [Repair], in scope: VerifyScope, at now: Date) {
        let failed = repairs.filter { !$0.isDone }
        let decided = damage(decidedBy: repairs.map(\.finding), in: scope).map(\.path)
        let doneOrKnown = repairs.filter(\.isDone).map(\.finding.path) + decided
        let nowRepaired = Set(doneOrKnown).subtracting(failed.map(\.finding.path))
        // A person may have edited verify.json, so that it has any number.
        repaired = max(0, repaired).addingSaturating(nowRepaired.count)
        // If the path was damaged before, the finding keeps its time.
        let times = Dictionary(damage.map { ($0.path, $0.since) }) { first, _ in first }
        let others = damage.filter { !decided.contains($0.path) }
        let found = failed.map { Damage($0.finding, since: times[$0.finding.path] ?? now) }
        damage = Array((others + found).prefix(Self.maximumDamage))
    }

    /// The saved state of `tree`; if the file is missing or damaged, an empty one, so that all days are verified again.
    package static func read(from tree: Tree) throws(SystemError) -> VerifyState {
        try tree.state(at: Layout.verify) ?? VerifyState()
    }
}

/// The days that one daily verification reads: a thirtieth of the mirror, so that 30 days read all files.
///
/// In a mirror of 3,000 days, a slice has 101 days.
struct VerifySlice {
    /// The first slice begins at ``Day/first``, and the last one ends at ``Day/last``.
    let range: ClosedRange<Day>
    /// The first day of the following slice; `nil` if the walk over all days ends with this one.
    let next: Day?

    private static let slices = 30
    private static let minimumDays = 10

    /// The slice of `days`, all days of the mirror in ascending order, that begins with `first`.
    ///
    /// Without `first`, or if no day follows it, the walk begins again.
    init(of days: [Day], from first: Day?) {
        // One more than a thirtieth, rounded up, because a day is added every day.
        let size = max((days.count - 1) / Self.slices + 2, Self.minimumDays)
        var begin = Day.first
        var end = size
        if let first, let start = days.firstIndex(where: { $0 >= first }) {
            begin = first
            end += start
        }
        next = end < days.count ? days[end] : nil
        range = begin...(next?.advanced(by: -1) ?? .last)
    }
}
