internal import APOD
internal import Platform

/// The days whose downloads earlier processes did not survive: they crashed, were killed, or lost power.
///
/// In normal times nothing is written for it: such a process leaves its drafts in `incoming/`, which name their days. The
/// first sync of a process that finds them leaves a mark there for each day, and removes them; a command that does not
/// sync leaves them. A file that ends every process that reads it would end each start: a day that has a mark already is
/// put off by that sync. The mark goes once a process survives the day.
struct UnfinishedDownloads {
    /// The days with a mark.
    var days: Set<Day> = []
    /// Those of them that had a mark and drafts at this start; a sync puts them off, and removes them from here.
    var again: Set<Day> = []
    private var isCollected = false

    /// The name of the mark of `day`, an empty file in `incoming/`.
    static func mark(of day: Day) -> String { "\(day) unfinished" }

    /// What the name of a draft for a file of `day` begins with, which this process reads before it is published.
    static func draft(of day: Day, _ source: String) -> String { "\(day).\(source)\(draftEnd)" }

    private static let draftEnd = ".download"

    /// The day of the draft `name`, as ``AtomicFile`` completes ``draft(of:_:)``; `nil` for any other name.
    static func day(ofDraft name: String) -> Day? {
        guard AtomicFile.isUniqueName(name) else { return nil }
        let prefix = name.utf8.dropLast(AtomicFile.uniqueSuffixLength)
        return prefix.suffix(draftEnd.utf8.count).elementsEqual(draftEnd.utf8)
            ? FileName.day(of: name) : nil
    }

    /// Whether `name` is that of a mark or of a draft.
    static func includes(_ name: String) -> Bool {
        day(ofDraft: name) != nil || FileName.day(of: name).map { name == mark(of: $0) } == true
    }

    /// Marks the days of which `incoming` has drafts, and removes these: once, and while this process has none.
    ///
    /// An `incoming` that cannot be listed is left to the next call.
    mutating func collect(in incoming: Directory) {
        guard !isCollected, let names = try? incoming.textNames().filter(Self.includes) else {
            return
        }
        isCollected = true
        let drafts = names.filter { Self.day(ofDraft: $0) != nil }
        days = Set(names.filter { !drafts.contains($0) }.compactMap { FileName.day(of: $0) })
        let drafted = Set(drafts.compactMap(Self.day(ofDraft:)))
        again = drafted.intersection(days)
        for name in drafts { incoming.removeUnfinished(name) }
        for day in drafted.subtracting(days) {
            // Without the mark, as on a full disk, the next end counts as the first.
            guard
                (try? AtomicFile.publish(
                    [], in: incoming, as: Self.mark(of: day), through: incoming)) != nil
            else { continue }
            days.insert(day)
        }
    }
}
