internal import APOD
internal import Mirror
internal import Platform

/// The XMP sidecars beside the pictures, `NAME.jpg.xmp`, from which photo managers read titles, texts and ratings.
///
/// A sidecar that a photo manager or a person has changed stays as it is.
///
/// The view stores a digest of the files of each month, and skips a month whose digest is the same as now. It stores the
/// digest after an update that changed nothing in the month. A changed month is therefore updated twice: the first update
/// writes files, which changes the digest. The ``ViewTable`` cannot tell which months to skip, because a photo manager may
/// have written into all sidecars of a month.
struct SidecarsView: View {
    static let title = "the sidecars"
    /// The file of the digests; if it is lost or damaged, all months are updated once more.
    private static let path = "\(Layout.views)/sidecars-months.json"

    /// The digests of the months that are up to date, by their names such as `2026-11`; `nil` before the file is read.
    private let digests = SharedValue([String: String]?.none)

    init?(_ settings: ViewSettings) {
        guard settings.writesSidecars else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        let earlier = try readDigests(in: input.store)
        var new = earlier
        let outcome: ViewOutcome
        do {
            outcome = try await updateMonths(input, &new)
        } catch {
            // This error is more important than an error of saving, which only causes another update.
            try? save(new, after: earlier, in: input.store)
            throw error
        }
        try save(new, after: earlier, in: input.store)
        return outcome
    }

    /// Updates the months whose digest is not in `digests`, and changes `digests` accordingly, even if this fails.
    private func updateMonths(
        _ input: ViewInput, _ digests: inout [String: String]
    ) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .sidecars)
        for days in input.snapshot.days.months {
            try Task.checkCancellation()
            guard let first = days.first else { continue }
            let month = SidecarMonth(days: days, input: input, files: files)
            let name = "\(Month(of: first.day))"
            let digest = month.digest
            guard digests[name] != digest else { continue }
            let monthOutcome = try month.update()
            // A month with a problem is not skipped next time: the problem may be solved without a change of a file.
            let hasChangedNothing = monthOutcome == ViewOutcome()
            digests[name] = hasChangedNothing ? digest : nil
            outcome.merge(monthOutcome)
            // All problems are files that cannot be read, and a disk that fails has thousands.
            outcome.problems = Array(outcome.problems.prefix(ViewOutcome.maximumReadErrors))
            await Task.yield()
        }
        return outcome
    }

    private func readDigests(in store: Store) throws(SystemError) -> [String: String] {
        if let known = digests.withLock(\.self) { return known }
        return try store.tree.state(at: Self.path) ?? [:]
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

    /// Changes whenever something changes that ``update()`` reads or writes.
    var digest: String {
        var digest = InputDigest()
        for dayFiles in days {
            digest.add(dayFiles.day.number)
            digest.add(dayFiles.record)
            digest.add(input.favorites.contains(dayFiles.day) ? 1 : 0)
            digest.addMedia(of: dayFiles)
        }
        return digest.text
    }

    /// Writes each sidecar that is outdated, and removes each that is obsolete; returns what it did.
    func update() throws(SystemError) -> ViewOutcome {
        var outcome = ViewOutcome()
        var wanted: [ViewFiles.File] = []
        // Sidecars of pictures that `--keep` removed, or that NASA replaced by pictures of another type.
        var obsolete: [String] = []
        for dayFiles in days where dayFiles.record != nil {
            let day = dayFiles.day
            guard let record = try readRecord(of: day, &outcome) else { continue }
            let paths = try sidecarPaths(of: record, dayFiles)
            let sidecar = Sidecar(record: record, isFavorite: input.favorites.contains(day))
            wanted += paths.map { ViewFiles.File(path: $0, bytes: sidecar.bytes) }
            obsolete += dayFiles.media.map(\.path).filter {
                $0.hasSuffix(Layout.sidecarExtension) && !paths.contains($0)
            }
        }
        // A sidecar that a photo manager or a person wrote stays, and is no problem.
        outcome.addWithoutObstructions(try files.remove(obsolete))
        outcome.addWithoutObstructions(try files.publish(wanted))
        return outcome
    }

    /// The paths of the sidecars that a day should have: one for each recorded file that is there.
    private func sidecarPaths(
        of record: DayRecord, _ dayFiles: TreeSnapshot.DayFiles
    ) throws(SystemError) -> [String] {
        var paths: [String] = []
        for path in record.files.map(\.path) where Layout.isPath(path, inPicturesOf: dayFiles.day) {
            let isThere = try dayFiles.stamp(ofFileAt: path, in: input.root) != nil
            if isThere { paths.append(path + Layout.sidecarExtension) }
        }
        return paths
    }

    /// The record of `day`; if it cannot be read, that is a problem in `outcome`, so that the month is updated again.
    private func readRecord(
        of day: Day, _ outcome: inout ViewOutcome
    ) throws(SystemError) -> DayRecord? {
        var records = RecordIterator(store: input.store, days: [])
        defer { outcome.addReadErrors(of: records, consequence: "its sidecar is left as it is") }
        return try records.record(of: day)
    }
}
