internal import APOD
internal import Mirror
internal import Platform

/// The XMP sidecars beside the pictures, `NAME.jpg.xmp`, from which photo managers read titles, texts and ratings.
///
/// A sidecar that a photo manager or a person has changed stays as it is. If the settings do not ask for sidecars, all others
/// are removed.
///
/// The view stores a digest of the files of each month, and skips a month whose files still have that digest. An update that
/// writes files changes the digest, which is stored only after an update without changes. So a month with a new picture is
/// updated twice, and then skipped.
struct SidecarsView: View {
    static let title = "the sidecars"
    /// The file of the digests; if it is lost or damaged, all months are updated once more.
    private static let digestsPath = "\(Layout.views)/sidecars-months.json"

    /// The digests of the months that are up to date, by their names such as `2026-11`; `nil` before the file is read.
    private let knownDigests = SharedValue([String: String]?.none)

    /// Whether the settings ask for sidecars.
    private let isOn: Bool

    init(_ settings: ViewSettings) { isOn = settings.writesSidecars }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        guard isOn else {
            var outcome = ViewOutcome()
            outcome.addWithoutObstructions(try input.files(of: .sidecars).removeAll())
            return outcome
        }
        let savedDigests = try readDigests(in: input.store)
        var update = SidecarsUpdate(input: input, digests: savedDigests)
        do {
            try await update.run()
        } catch {
            // This error is more important than an error of saving, which only causes another update.
            try? save(update.digests, after: savedDigests, in: input.store)
            throw error
        }
        try save(update.digests, after: savedDigests, in: input.store)
        return update.outcome
    }

    private func readDigests(in store: Store) throws(SystemError) -> [String: String] {
        if let known = knownDigests.withLock(\.self) { return known }
        return try store.tree.state(at: Self.digestsPath) ?? [:]
    }

    private func save(
        _ new: [String: String], after earlier: [String: String], in store: Store
    ) throws(SystemError) {
        if new != earlier { try store.write(new, to: Self.digestsPath) }
        knownDigests.withLock { $0 = new }
    }
}

/// One update of ``SidecarsView``.
private struct SidecarsUpdate {
    let input: ViewInput
    /// The digest of each month by its name; after an error, the months from there on have their earlier digests.
    private(set) var digests: [String: String]
    private(set) var outcome = ViewOutcome()

    /// Updates the months whose digest is not in ``digests``.
    mutating func run() async throws {
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
            let isUpToDate = monthOutcome == ViewOutcome()
            digests[name] = isUpToDate ? digest : nil
            outcome.merge(monthOutcome)
            // All problems are files that cannot be read, and a disk that fails has thousands.
            outcome.problems = Array(outcome.problems.prefix(ViewOutcome.maximumReadErrors))
            await Task.yield()
        }
    }
}
