package import APOD
package import FoundationEssentials
package import JSON
package import Mirror
package import Platform

/// How far the daily verification has come, and which damage is not repaired: the contents of `.apod-mirror/verify.json`.
///
/// A verification compares the files of the mirror with the hashes in its records. Each day, a thirtieth of the mirror is
/// verified, a ``VerifySlice``; thirty slices are a walk over all days. Without the file, a new walk begins.
package struct VerifyState: Hashable, Codable, Sendable {
    /// A finding that is not repaired yet.
    package struct Damage: Hashable, Codable, Sendable {
        package let path: String
        package let day: Day?
        package let kind: VerifyFinding.Kind
        /// What is wrong, for people.
        package let text: String
        /// When it was found first.
        package let since: Date

        init(_ finding: VerifyFinding, since: Date) {
            path = finding.path
            day = finding.day
            kind = finding.kind
            text = "\(finding)"
            self.since = since
        }

        /// The object that `status --json` prints.
        package var json: JSON {
            [
                "date": day.map { .string("\($0)") } ?? .null, "kind": .string(kind.rawValue),
                "path": .string(path), "text": .string(text), "since": .string(since.timestamp),
            ]
        }
    }

    /// The first day of the next slice; `nil` if a walk over all days is to begin.
    package var next: Day?
    /// When the last slice was verified; `nil` if none was.
    package var lastSlice: Date?
    /// When all days had last been verified, by the slices of 30 days or by a command; `nil` if they never were.
    package var lastComplete: Date?
    /// How many findings have been repaired since the file was made.
    package private(set) var repaired = 0
    /// The findings that are not repaired yet, at most ``maximumDamage``.
    package private(set) var damage: [Damage] = []

    /// The most findings that are recorded; a later walk finds the others again.
    private static let maximumDamage = 1_000
    /// The seconds between two slices, so that there is one a day even if the times of syncs vary.
    private static let slicePause = 20.0 * 3600

    /// The state of a mirror of which nothing was verified.
    package static let none = VerifyState()

    /// Reads the state of `tree`; if the file is missing or damaged, the walk over all days begins again.
    package static func read(from tree: Tree) throws(SystemError) -> VerifyState {
        try tree.state(at: Layout.verify) ?? .none
    }

    // MARK: What is due

    /// Whether the next slice is due.
    func isSliceDue(at now: Date) -> Bool {
        guard let lastSlice else { return true }
        let seconds = now.timeIntervalSince(lastSlice)
        // If the time is in the future, the clock was wrong when it was recorded.
        return seconds < 0 || seconds >= Self.slicePause
    }

    /// The days of ``damage``, which are verified again with the next slice.
    var daysWithDamage: Set<Day> { Set(damage.compactMap(\.day)) }

    /// The days with a damaged or missing file, which the next sync downloads again.
    package var daysToDownload: Set<Day> {
        Set(damage.lazy.filter { $0.kind != .unreadable }.compactMap(\.day))
    }

    /// The days with a file that could not be read; another file of such a day may be damaged: see ``daysToDownload``.
    var unreadableDays: Set<Day> {
        Set(damage.lazy.filter { $0.kind == .unreadable }.compactMap(\.day))
    }

    // MARK: Recording a verification

    /// The part of ``damage`` that `examination` did not find again: a sync, a scan or a person has repaired it.
    func damageResolved(by examination: Examination) -> [Damage] {
        damage.filter { examination.covers($0) && !examination.hasFound($0.path) }
    }

    /// Records an `examination`, and the `repairs` after it, one for each finding.
    mutating func record(_ repairs: [Repair], after examination: Examination, at now: Date) {
        let unrepaired = repairs.filter { !$0.isDone }.map(\.finding)
        let repairedNow = Set(repairs.filter(\.isDone).map(\.finding.path))
        // A file that could not be read may have been undamaged, so that its repair does not count.
        let repairedBefore = damage.filter { $0.kind != .unreadable && examination.covers($0) }
        let repairedPaths = repairedNow.union(repairedBefore.map(\.path))
            .subtracting(unrepaired.map(\.path))
        // The number is limited, because a person may have edited verify.json.
        repaired = max(0, repaired).addingSaturating(repairedPaths.count)
        replaceDamage(coveredBy: examination, with: unrepaired, at: now)
    }

    /// Replaces the damage that `examination` covers by `findings`; known damage keeps the time when it was found first.
    private mutating func replaceDamage(
        coveredBy examination: Examination, with findings: [VerifyFinding], at now: Date
    ) {
        let times = Dictionary(damage.map { ($0.path, $0.since) }) { first, _ in first }
        damage.removeAll(where: examination.covers)
        damage += findings.map { Damage($0, since: times[$0.path] ?? now) }
        damage = Array(damage.prefix(Self.maximumDamage))
    }

    /// Adds `newDamage`, which was found while the file could not be read.
    mutating func add(_ newDamage: [Damage]) {
        let knownPaths = Set(damage.map(\.path))
        damage += newDamage.filter { !knownPaths.contains($0.path) }
    }

    /// Forgets the damage of folders and internal files, except at `paths`, those that cannot be read today.
    mutating func forgetDamageOfNoDay(exceptAt paths: some Collection<String>) {
        damage.removeAll { $0.day == nil && !paths.contains($0.path) }
    }
}
