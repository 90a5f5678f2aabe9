internal import APOD
package import FoundationEssentials
internal import JSON
package import Mirror
package import Platform

/// Repairs the texts of records from the metadata in a directory: entries as JSON, and pages of the archive.
///
/// A text is taken where the record has none or a damaged copy of it. The source is read and never changed.
package struct TextAdoption {
    /// How many entries changed nothing.
    package struct Counts: Hashable, Sendable {
        /// The number of files of metadata.
        package var files = 0
        /// Entries without a better text.
        package var notBetter = 0
        /// Entries of days that the mirror has no record of.
        package var unrecorded = 0

        package init() {}
    }

    private let source: Directory
    /// `nil` for a mirror that does not exist yet.
    private let store: Store?
    private let now: Date
    private let dates: PlausibleDates
    private let report: (AdoptionEvent) -> Void
    private let decoder = ArchiveDecoder()
    /// The records of a dry run, which are not written.
    private var previews: [Day: DayRecord]?
    package private(set) var counts = Counts()

    package init(
        of source: Directory, into store: Store?, isDryRun: Bool = false, at now: Date = Date(),
        report: @escaping (AdoptionEvent) -> Void
    ) {
        self.source = source
        self.store = store
        self.now = now
        self.report = report
        previews = isDryRun ? [:] : nil
        dates = PlausibleDates(now: now, built: PlausibleDates.builtDate, recorded: nil)
    }

    /// Whether the file at `path` may have metadata, by its name.
    static func isMetadata(_ path: [UInt8]) -> Bool {
        page(path) != nil
            || [".json", ".ndjson", ".jsonl"].contains {
                String(decoding: path, as: UTF8.self).lowercased().hasSuffix($0)
            }
    }

    /// The day of a page such as `ap070713.html`; `nil` for other files.
    private static func page(_ path: [UInt8]) -> Day? {
        let name = Layout.split(String(decoding: path, as: UTF8.self)).name.lowercased()
        guard name.hasPrefix("ap"), [".html", ".htm"].contains(where: name.hasSuffix) else {
            return nil
        }
        return Day(compact: name.dropFirst(2).prefix { $0 != "." })
    }

    /// - Throws: ``SystemError`` if the disk is full or read-only; other errors are reported.
    package mutating func run() throws(SystemError) {
        var fatal: SystemError?
        source.walk(
            enters: { !Adoption.isHidden($0) && fatal == nil },
            fail: { path, error in
                if error.isNoSpace || error.isReadOnly { fatal = error }
                report(.failed(path: Adoption.text(path), error: error))
            },
            visit: { path, kind throws(SystemError) in
                guard kind == .file, !Adoption.isHidden(path), Self.isMetadata(path), fatal == nil
                else { return }
                try read(path)
            })
        if let fatal { throw fatal }
    }

    /// The largest file in UTF-16, which is read at once.
    private static let largestUTF16 = 64 << 20

    private mutating func read(_ path: [UInt8]) throws(SystemError) {
        counts.files += 1
        let name = Adoption.text(path)
        let file = try source.openToRead(path)
        let status = try file.status(path: name)
        guard status.kind == .file else { return }
        var outcome = FileOutcome()
        let decoder = decoder
        if let day = Self.page(path) {
            let bytes = try file.readStart(limit: TextLimit.article + 1, path: name)
            try use(path, &outcome) { () throws(EntryRejection) in
                guard bytes.count <= TextLimit.article else {
                    throw EntryRejection(day: day, reason: "longer than \(TextLimit.article) bytes")
                }
                return try decoder.entry(page: ForeignText(bytes).text, of: day)
            }
        } else {
            var objects = DatedObjects()
            let isUTF16 = try ForeignText(file.readStart(limit: 4, path: name)).isUTF16
            let length = isUTF16 ? Self.largestUTF16 : 1 << 20
            var offset = 0
            while true {
                let chunk = try file.readPart(length, at: offset, path: name)
                if chunk.isEmpty || isUTF16 && offset > 0 { break }
                offset += chunk.count
                Heartbeat.current?.signal()
                let text = isUTF16 ? Array(ForeignText(chunk).text.utf8) : chunk
                try objects.read(text) { object throws(SystemError) in
                    try use(path, &outcome) { () throws(EntryRejection) in
                        guard let json = try? JSON(parsing: Array(ForeignText(object).text.utf8))
                        else { throw EntryRejection(day: nil, reason: "an object is no JSON") }
                        return try decoder.entry(json)
                    }
                }
            }
            if objects.isCut || isUTF16 && status.size > length {
                outcome.reject("the file is cut short, or no JSON")
            }
        }
        if let reason = outcome.reason { report(.unrecognized(path: name, reason: reason)) }
    }

    /// What the entries of one file are.
    private struct FileOutcome {
        var entries = 0
        private var rejected = 0
        private var first: String?

        mutating func reject(_ reason: String) {
            rejected += 1
            first = first ?? reason
        }

        /// Why the file, or a part of it, is not used.
        var reason: String? {
            guard let first else { return entries == 0 ? "no entry of APOD in it" : nil }
            return entries + rejected == 1
                ? first : "\(rejected) of \(entries + rejected): \(first)"
        }
    }

    /// Decodes an entry, and repairs the record of its day.
    private mutating func use(
        _ path: [UInt8], _ outcome: inout FileOutcome,
        decode: () throws(EntryRejection) -> Entry
    ) throws(SystemError) {
        let entry: Entry
        do throws(EntryRejection) {
            entry = try decode()
            guard !Day.neverPublished.contains(entry.day), dates.contains(entry.day) else {
                throw EntryRejection(
                    day: entry.day, reason: "NASA published nothing on \(entry.day)")
            }
        } catch {
            return outcome.reject(error.day.map { "\($0): \(error.reason)" } ?? error.reason)
        }
        outcome.entries += 1
        try repair(entry, path)
    }

    private mutating func repair(_ entry: Entry, _ path: [UInt8]) throws(SystemError) {
        let day = entry.day
        var earlier = previews?[day]
        if earlier == nil { earlier = try store?.record(of: day) }
        guard let store, let earlier else {
            counts.unrecorded += 1
            return
        }
        let name = "\(Layout.split(source.path).name)/\(Adoption.text(path))"
        guard let (record, fields) = earlier.repaired(by: EntryText(entry), from: name, at: now)
        else {
            counts.notBetter += 1
            return
        }
        if previews != nil {
            previews?[day] = record
        } else {
            try store.checkFreeSpace()
            try store.publish(record, after: earlier)
        }
        report(.repaired(path: Adoption.text(path), day: day, fields: fields))
    }
}
