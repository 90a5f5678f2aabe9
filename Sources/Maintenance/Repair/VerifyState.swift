package import APOD
package import FoundationEssentials
package import JSON
package import Mirror
package import Platform

/// How far the daily verification has come, and which damage is not repaired: the contents of `.apod-mirror/verify.json`.
///
/// A thirtieth of the mirror, a ``VerifySlice``, is verified each day. Without the file, the walk over all days begins again.
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
    package var repaired = 0
    /// The findings that are not repaired yet, at most ``maximumDamage``.
    package private(set) var damage: [Damage] = []

    /// The most findings that are recorded; a later walk finds the others again.
    private static let maximumDamage = 1_000
    /// The seconds between two slices, so that there is one a day even if the times of syncs vary.
    private static let slicePause = 20.0 * 3600

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

    /// Whether the next slice is due.
    func isSliceDue(at now: Date) -> Bool {
        guard let lastSlice else { return true }
        let seconds = now.timeIntervalSince(lastSlice)
        // If the time is in the future, the clock was wrong when it was recorded.
        return seconds < 0 || seconds >= Self.slicePause
    }

    /// The part of ``damage`` that a verification of `scope` has examined again, with these `findings`.
    ///
    /// If a file of a day could not be read, the other damage of the day counts as examined only if a finding names its path.
    /// What could not be examined at all is in `unknownParts`, or a finding names the file without which it is unknown.
    func damage(
        examinedBy findings: [VerifyFinding], in scope: VerifyScope,
        besides unknownParts: Set<TreeVerifier.Part> = []
    ) -> [Damage] {
        let named = Set(findings.map(\.path))
        let unreadable = Set(findings.lazy.filter { $0.kind == .unreadable }.compactMap(\.day))
        let unknownParts = TreeVerifier.Part.allCases.filter { part in
            unknownParts.contains(part) || named.contains(part.source)
        }
        return damage.filter { damage in
            if named.contains(damage.path) { return true }
            if unknownParts.contains(where: { $0.has(damage.path) }) { return false }
            if let day = damage.day, unreadable.contains(day) { return false }
            return scope.contains(damage.day)
        }
    }

    /// Records a verification of `scope`, which ended with these `repairs`, one for each finding.
    ///
    /// Damage that was examined and not found again counts as repaired: a sync, a scan or a person repaired it. A file that
    /// could not be read, and can be read again, was not damaged.
    mutating func record(
        _ repairs: [Repair], in scope: VerifyScope,
        besides unknownParts: Set<TreeVerifier.Part> = [], at now: Date
    ) {
        let failed = repairs.filter { !$0.isDone }
        let examinedDamage = damage(
            examinedBy: repairs.map(\.finding), in: scope, besides: unknownParts)
        let examined = examinedDamage.map(\.path)
        let repairedByOthers = examinedDamage.filter { $0.kind != .unreadable }.map(\.path)
        let doneOrRepaired = repairs.filter(\.isDone).map(\.finding.path) + repairedByOthers
        let nowRepaired = Set(doneOrRepaired).subtracting(failed.map(\.finding.path))
        // The number is limited, because a person may have edited verify.json.
        repaired = max(0, repaired).addingSaturating(nowRepaired.count)
        // Damage that was known before keeps the time when it was found first.
        let times = Dictionary(damage.map { ($0.path, $0.since) }) { first, _ in first }
        let others = damage.filter { !examined.contains($0.path) }
        let found = failed.map { Damage($0.finding, since: times[$0.finding.path] ?? now) }
        damage = Array((others + found).prefix(Self.maximumDamage))
    }

    /// Forgets the damage of directories and internal files whose paths are not among `paths`, those of today's.
    mutating func keepDamageOfNoDay(at paths: some Collection<String>) {
        damage.removeAll { $0.day == nil && !paths.contains($0.path) }
    }

    /// The state of a mirror of which nothing was verified.
    package static let none = VerifyState()

    /// Reads the state of `tree`; if the file is missing or damaged, the walk over all days begins again.
    package static func read(from tree: Tree) throws(SystemError) -> VerifyState {
        try tree.state(at: Layout.verify) ?? VerifyState()
    }
}

/// The days that one daily verification reads: a thirtieth of the mirror, so that all files are read in 30 days.
///
/// In a mirror of 3,000 days, a slice has 101 days.
struct VerifySlice {
    /// The first slice begins with ``Day/first``, and the last one ends with ``Day/last``.
    let range: ClosedRange<Day>
    /// The first day of the following slice; `nil` if this slice is the last one of the walk.
    let next: Day?

    private static let sliceCount = 30
    private static let minimumDays = 10

    /// Makes the slice that begins with `first`; `days` are all days of the mirror, in ascending order.
    ///
    /// If `first` is `nil` or after the last day, this is the first slice of a new walk.
    init(of days: [Day], from first: Day?) {
        // One day more than a thirtieth, rounded up, because the mirror gets a new day every day.
        let size = max((days.count - 1) / Self.sliceCount + 2, Self.minimumDays)
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
