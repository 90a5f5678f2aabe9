internal import APOD
internal import Platform

extension Directory {
    /// Opens `incoming/` in this directory, `.apod-mirror/`, and removes leftovers of earlier processes.
    ///
    /// Staged days, see ``DayPublisher``, and ``UnfinishedDownloads`` stay. A temporary file, whose name only this program
    /// gives, is removed. Anything else, perhaps a person's only copy, is moved to `aside/`; if that fails, it stays, and
    /// does not prevent the start.
    func emptyIncoming() throws(SystemError) -> (folder: Directory, movedAside: [String]) {
        let name = Layout.split(Layout.incoming).name
        if let status = try status(name), status.kind != .directory {
            try moveAside(Array(name.utf8), from: self)
        }
        let incoming = try makeDirectory(name)
        var movedAside: [String] = []
        for name in (try? incoming.names()) ?? [] {
            let text = String(validating: name, as: UTF8.self) ?? ""
            if incoming.hasStaged(text) || UnfinishedDownloads.includes(text) { continue }
            // mutation test: foreign-incoming
            if AtomicFile.isUniqueName(text), (try? incoming.remove(name)) != nil { continue }
            guard (try? moveAside(name, from: incoming)) != nil else { continue }
            movedAside.append(String(decoding: name, as: UTF8.self))
        }
        return (incoming, movedAside)
    }

    /// Whether the file `name` in this directory, `incoming/`, is staged; `true` also if it cannot be examined.
    ///
    /// A file `2026-11-20.json` that is no record of that day is not: it may be an answer of NASA that a person stored.
    private func hasStaged(_ name: String) -> Bool {
        guard DayPublisher.isStaged(name) else { return false }
        do throws(SystemError) {
            guard try status(name)?.kind == .file else { return false }
        } catch {
            return true
        }
        guard let day = FileName.day(of: name), name == Layout.record(of: day),
            let bytes = try? read(name, limit: Layout.largestRecord)
        else { return true }
        return DayRecord(bytes, of: day) != nil
    }

    /// Removes a mark or a draft of ``UnfinishedDownloads`` from this directory, `incoming/`; after an error, it stays.
    func removeUnfinished(_ name: String) { try? remove(name) }

    private func moveAside(_ name: [UInt8], from folder: Directory) throws(SystemError) {
        let aside = try makeDirectory(Layout.split(Layout.aside).name)
        try folder.moveToFreeName(name, in: aside)
    }
}

// MARK: Unfinished downloads

/// The days whose downloads earlier processes did not survive: they crashed, were killed, or lost power.
///
/// A picture that ends every process that reads it must not end each start. A process that ends leaves its drafts in
/// `incoming/`, which name their days. The first sync of the next process marks these days, and removes the drafts. A day
/// that has drafts and a mark is put off by that sync. The mark is removed once a process survives the day.
struct UnfinishedDownloads {
    /// The days with a mark.
    var days: Set<Day> = []
    /// The days that had a mark and drafts at this start; a sync puts them off, and removes them from here.
    var again: Set<Day> = []
    private var isCollected = false

    /// The name of the mark of `day`, an empty file in `incoming/`.
    static func mark(of day: Day) -> String { "\(day) unfinished" }

    /// The beginning of the name of a draft for a file of `day`, such as `2026-11-20.mirror.download`.
    static func draft(of day: Day, _ source: String) -> String { "\(day).\(source)\(draftEnd)" }

    private static let draftEnd = ".download"

    /// The day of the draft `name`, as ``AtomicFile`` completes ``draft(of:_:)``; `nil` for any other name.
    static func day(ofDraft name: String) -> Day? {
        guard AtomicFile.isUniqueName(name) else { return nil }
        let prefix = name.utf8.dropLast(AtomicFile.uniqueSuffixLength)
        return prefix.suffix(draftEnd.utf8.count).elementsEqual(draftEnd.utf8)
            ? FileName.day(of: name) : nil
    }

    /// Whether `name` is the name of a mark or of a draft.
    static func includes(_ name: String) -> Bool {
        day(ofDraft: name) != nil || FileName.day(of: name).map { name == mark(of: $0) } == true
    }

    /// Marks the days of which `incoming` has drafts, and removes the drafts.
    ///
    /// The first call that can list `incoming` does so, before this process makes drafts; later calls do nothing.
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
            // If there is no mark, as on a full disk, the next end counts as the first.
            let name = Self.mark(of: day)
            if (try? AtomicFile.publish([], in: incoming, as: name, through: incoming)) != nil {
                days.insert(day)
            }
        }
    }
}
