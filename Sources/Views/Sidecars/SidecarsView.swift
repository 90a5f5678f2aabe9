internal import APOD
internal import Mirror
internal import Platform

/// The XMP sidecars beside the pictures, `NAME.jpg.xmp`: what photo managers show of a picture, from records and favorites.
///
/// One is made if none is there, and made again as long as nobody else wrote into it. An update reads only the records of
/// months whose digest is not the one that was stored after an update without changes: so a changed month is updated twice,
/// as the first update changes the files, and with them the digest. A photo manager may have written into all sidecars, so
/// that no row of a ``ViewTable`` shows that a month is up to date.
struct SidecarsView: View {
    static let title = "the sidecars"
    /// The file of the digests, which may be deleted, damaged or out of date: then months are only updated once more.
    private static let path = "\(Layout.views)/sidecars-months.json"

    /// The digest of each month that is up to date, by its name: at most those since 1995; `nil` if the file is not read
    /// yet.
    private let digests = SharedValue([String: String]?.none)

    init?(_ settings: ViewSettings) {
        guard settings.writesSidecars else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .sidecars)
        let earlier = try digests.withLock(\.self) ?? input.store.tree.state(at: Self.path) ?? [:]
        var new = earlier
        do {
            for days in input.snapshot.days.months {
                try Task.checkCancellation()
                guard let first = days.first else { continue }
                let month = SidecarMonth(days: days, input: input, files: files)
                let (name, digest) = ("\(Month(of: first.day))", month.digest)
                guard new[name] != digest else { continue }
                var made = ViewOutcome()
                try month.update(&made)
                // A problem is part of the outcome, and its solution need not change a file: such a month stays outdated.
                new[name] = made == ViewOutcome() ? digest : nil
                outcome += made
                // All are of files that cannot be read: a disk that fails would hide thousands.
                outcome.problems = Array(outcome.problems.prefix(ViewOutcome.maximumNamed))
                await Task.yield()
            }
        } catch {
            // An error of saving would hide this one, and costs only another update.
            try? save(new, after: earlier, in: input.store)
            throw error
        }
        try save(new, after: earlier, in: input.store)
        return outcome
    }

    private func save(
        _ new: [String: String], after earlier: [String: String], in store: Store
    ) throws(SystemError) {
        if new != earlier { try store.write(new, to: Self.path) }
        digests.withLock { $0 = new }
    }
}

/// The sidecars of one month.
private struct SidecarMonth {
    let days: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput
    let files: ViewFiles

    /// Changes when anything changes that ``update(_:)`` reads or writes.
    var digest: String {
        var digest = InputDigest()
        for index in days.indices {
            digest.add(days[index].day.number)
            digest.add(days[index].record)
            digest.add(input.favorites.contains(days[index].day) ? 1 : 0)
            digest.addMedia(of: days[index])
        }
        return digest.text
    }

    /// Reads the records of the month; writes or removes each file that is not up to date.
    func update(_ outcome: inout ViewOutcome) throws(SystemError) {
        var wanted: [ViewFiles.File] = []
        // Those of a picture that `--keep` removed, or that NASA replaced by one of another type.
        var outdated: [String] = []
        for dayFiles in days where dayFiles.record != nil {
            guard let record = try readRecord(of: dayFiles.day, &outcome) else { continue }
            let media = dayFiles.media.map(\.path)
            let sidecars = record.files.map(\.path).filter {
                media.contains($0) && Layout.isPath($0, inPicturesOf: dayFiles.day)
            }.map { $0 + Layout.sidecarExtension }
            let isFavorite = input.favorites.contains(dayFiles.day)
            wanted += sidecars.map {
                ViewFiles.File(path: $0, bytes: Sidecar(record, isFavorite: isFavorite).bytes)
            }
            outdated += media.filter {
                $0.hasSuffix(Layout.sidecarExtension) && !sidecars.contains($0)
            }
        }
        // What a photo manager or a person wrote stays, and is no problem.
        outcome.addChanges(try files.remove(outdated))
        outcome.addChanges(try files.publish(wanted))
    }

    /// The record of `day`; one that the disk cannot read now is a problem, so that its month is read again.
    private func readRecord(
        of day: Day, _ outcome: inout ViewOutcome
    ) throws(SystemError) -> DayRecord? {
        var records = RecordIterator(store: input.store, days: [])
        defer { outcome.addUnreadable(records, "its sidecar is left as it is") }
        return try records.record(of: day)
    }
}
