internal import APOD
package import FoundationEssentials
internal import JSON
package import Mirror
package import Platform

/// Repairs the texts of records from JSON and pages of the archive that another tool saved: the command `adopt`.
///
/// NASA's move of 2026 damaged many texts, of which other tools have whole copies. A text is taken where the record has
/// none or a damaged copy of it. The source is read and never changed.
package struct TextAdoption {
    /// How many files were read, and how many of their entries changed nothing.
    package struct Counts: Hashable, Sendable {
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
    private let isDryRun: Bool
    private let now: Date
    private let dates: PlausibleDates
    private let report: (AdoptionEvent) -> Void
    /// The records that a dry run would have written.
    private var previews: [Day: DayRecord] = [:]
    package private(set) var counts = Counts()

    package init(
        of source: Directory, into store: Store?, isDryRun: Bool = false, at now: Date = Date(),
        report: @escaping (AdoptionEvent) -> Void
    ) {
        self.source = source
        self.store = store
        self.isDryRun = isDryRun
        self.now = now
        self.report = report
        dates = PlausibleDates(now: now, built: PlausibleDates.builtDate, recorded: nil)
    }

    /// Whether the file at `path` may have metadata, by its name.
    static func isMetadata(_ path: [UInt8]) -> Bool {
        dayOfPage(at: path) != nil
            || [".json", ".ndjson", ".jsonl"].contains {
                String(decoding: path, as: UTF8.self).lowercased().hasSuffix($0)
            }
    }

    /// The day of a page such as `ap070713.html`; `nil` for other files.
    private static func dayOfPage(at path: [UInt8]) -> Day? {
        let name = Layout.split(String(decoding: path, as: UTF8.self)).name.lowercased()
        guard name.hasPrefix("ap"), [".html", ".htm"].contains(where: name.hasSuffix) else {
            return nil
        }
        return Day(compact: name.dropFirst(2).prefix { $0 != "." })
    }

    /// Reads all files of metadata, also in directories.
    ///
    /// - Throws: ``SystemError`` if the disk is full or read-only; other errors are reported.
    package mutating func run() throws(SystemError) {
        // The walk hands the errors of `read` to `fail`, and goes on; after this one, nothing more is read.
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

    private mutating func read(_ path: [UInt8]) throws(SystemError) {
        counts.files += 1
        let file = try source.openToRead(path)
        guard try file.status(path: Adoption.text(path)).kind == .file else { return }
        var outcome = FileOutcome()
        if let day = Self.dayOfPage(at: path) {
            try readPage(of: day, in: file, at: path, &outcome)
        } else {
            try readObjects(in: file, at: path, &outcome)
        }
        if let reason = outcome.reason {
            report(.unrecognized(path: Adoption.text(path), reason: reason))
        }
    }

    // MARK: Reading a file

    /// What the entries of one file are.
    private struct FileOutcome {
        var entries = 0
        private var rejected = 0
        private var firstReason: String?

        mutating func reject(_ reason: String) {
            rejected += 1
            firstReason = firstReason ?? reason
        }

        /// Why the file, or a part of it, is not used.
        var reason: String? {
            guard let firstReason else { return entries == 0 ? "no entry of APOD in it" : nil }
            return entries + rejected == 1
                ? firstReason : "\(rejected) of \(entries + rejected): \(firstReason)"
        }
    }

    private mutating func readPage(
        of day: Day, in file: borrowing FileDescriptor, at path: [UInt8],
        _ outcome: inout FileOutcome
    ) throws(SystemError) {
        let bytes = try file.readStart(limit: TextLimit.article + 1, path: Adoption.text(path))
        try decodeAndRepair(from: path, &outcome) { () throws(EntryRejection) in
            guard bytes.count <= TextLimit.article else {
                throw EntryRejection(day: day, reason: "longer than \(TextLimit.article) bytes")
            }
            return try ArchiveDecoder().entry(page: ForeignText(bytes).text, of: day)
        }
    }

    /// The maximum size of a file in UTF-16, which is read as a whole: a part of it may begin within a character.
    private static let largestUTF16 = 64 << 20
    private static let partSize = 1 << 20

    /// Repairs records from each object in a file of JSON: of any length in UTF-8, in which it is read in parts.
    private mutating func readObjects(
        in file: borrowing FileDescriptor, at path: [UInt8], _ outcome: inout FileOutcome
    ) throws(SystemError) {
        let name = Adoption.text(path)
        let isUTF16 = try ForeignText(file.readStart(limit: 4, path: name)).isUTF16
        var objects = DatedObjects()
        if isUTF16 {
            guard try file.status(path: name).size <= Self.largestUTF16 else {
                return outcome.reject(
                    "longer than \(Self.largestUTF16) bytes in UTF-16: convert it to UTF-8")
            }
            let bytes = try file.readPart(Self.largestUTF16, at: 0, path: name)
            try repairRecords(
                by: &objects, in: Array(ForeignText(bytes).text.utf8), from: path, &outcome)
        } else {
            var offset = 0
            while case let part = try file.readPart(Self.partSize, at: offset, path: name),
                !part.isEmpty
            {
                offset += part.count
                try repairRecords(by: &objects, in: part, from: path, &outcome)
            }
        }
        if objects.isCut { outcome.reject("the file is cut short, or no JSON") }
    }

    /// Repairs records from the objects that end in `part`, the next one of the file at `path`.
    private mutating func repairRecords(
        by objects: inout DatedObjects, in part: [UInt8], from path: [UInt8],
        _ outcome: inout FileOutcome
    ) throws(SystemError) {
        try objects.read(part) { object throws(SystemError) in
            try decodeAndRepair(from: path, &outcome) { () throws(EntryRejection) in
                guard let json = try? JSON(parsing: Array(ForeignText(object).text.utf8))
                else { throw EntryRejection(day: nil, reason: "an object is no JSON") }
                return try ArchiveDecoder().entry(json)
            }
        }
    }

    // MARK: Repairing a record

    /// Decodes an entry in the file at `path`, and repairs the record of its day.
    private mutating func decodeAndRepair(
        from path: [UInt8], _ outcome: inout FileOutcome,
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
        try repairRecord(by: entry, from: path)
    }

    /// Takes those texts of `entry` that are whole where the record of its day has none, or a damaged copy.
    private mutating func repairRecord(by entry: Entry, from path: [UInt8]) throws(SystemError) {
        let day = entry.day
        var earlier = previews[day]
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
        if isDryRun {
            previews[day] = record
        } else {
            try store.checkFreeSpace()
            try store.publish(record, after: earlier)
        }
        report(.repaired(path: Adoption.text(path), day: day, fields: fields))
    }
}
