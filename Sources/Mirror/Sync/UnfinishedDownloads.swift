internal import APOD
internal import Platform

/// The days during whose downloads earlier processes ended: by a crash, a kill or a power cut.
///
/// A picture that crashes every process that reads it must not prevent all other downloads. So its day is put off:
///
/// 1. A download writes a temporary file, its draft, into `incoming/`. A process that crashes leaves the draft there.
/// 2. The first sync of the next process makes a mark for the day of each draft, and deletes the drafts.
/// 3. If the day has a draft and a mark at the start after that, the sync puts the day off.
/// 4. The mark is removed when a process has survived the download.
struct UnfinishedDownloads {
    /// The days with a mark.
    private(set) var markedDays: Set<Day> = []
    /// The days that had a mark and a draft at the start of this process; emptied once a sync has put them off.
    private(set) var daysToPutOff: Set<Day> = []
    private var isCollected = false

    /// The name of the mark of `day`, an empty file in `incoming/`.
    static func markName(of day: Day) -> String { "\(day) unfinished" }

    /// The beginning of the name of a draft: `2026-11-20.mirror.download` for the day and the `source` “mirror”.
    static func draftName(of day: Day, source: String) -> String { "\(day).\(source)\(draftEnd)" }

    private static let draftEnd = ".download"

    /// The day of the draft `name`, which is ``draftName(of:source:)`` and the suffix of ``AtomicFile``; `nil` for any other name.
    static func day(ofDraft name: String) -> Day? {
        guard AtomicFile.isUniqueName(name) else { return nil }
        let prefix = name.utf8.dropLast(AtomicFile.uniqueSuffixLength)
        return prefix.suffix(draftEnd.utf8.count).elementsEqual(draftEnd.utf8)
            ? FileName.day(of: name) : nil
    }

    /// Whether `name` is the name of a mark or of a draft.
    static func includes(_ name: String) -> Bool {
        if day(ofDraft: name) != nil { return true }
        guard let day = FileName.day(of: name) else { return false }
        return name == markName(of: day)
    }

    /// Reads the marks and drafts that earlier processes left in `incoming`; marks the days of drafts, and deletes drafts.
    ///
    /// Only the first call that can list `incoming` does so, before this process makes drafts of its own.
    mutating func collect(in incoming: Directory) {
        guard !isCollected, let names = try? incoming.textNames().filter(Self.includes) else {
            return
        }
        isCollected = true
        let drafts = names.filter { Self.day(ofDraft: $0) != nil }
        let daysWithDraft = Set(drafts.compactMap(Self.day(ofDraft:)))
        markedDays = Set(names.filter { !drafts.contains($0) }.compactMap { FileName.day(of: $0) })
        daysToPutOff = daysWithDraft.intersection(markedDays)
        for name in drafts { try? incoming.remove(name) }
        for day in daysWithDraft.subtracting(markedDays) { addMark(of: day, in: incoming) }
    }

    /// Marks `day`; without the mark, as on a full disk, the next crash counts as the first one.
    private mutating func addMark(of day: Day, in incoming: Directory) {
        let name = Self.markName(of: day)
        guard (try? AtomicFile.publish([], in: incoming, as: name, through: incoming)) != nil
        else { return }
        markedDays.insert(day)
    }

    /// Forgets which days are to be put off, once a sync has saved that.
    mutating func finishPuttingOff() { daysToPutOff = [] }

    /// Removes the mark of `day`; a mark that cannot be removed is read by the next process.
    mutating func removeMark(of day: Day, in incoming: Directory) {
        try? incoming.remove(Self.markName(of: day))
        markedDays.remove(day)
    }
}
