internal import APOD
internal import Mirror
internal import Platform

/// The XMP sidecars beside the pictures: `NAME.jpg.xmp`, from records and favorites.
///
/// Only months of which a file or a favorite changed are read.
struct SidecarsView: View {
    static let title = "the sidecars"
    static let ownedPaths = [OwnedPath(SidecarState.path)]

    /// `nil` if it is not read yet.
    private let state = Monitor(SidecarState?.none)

    init?(_ settings: ViewSettings) {
        guard settings.writesSidecars else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let earlier = try state.withLock(\.self) ?? SidecarState(in: input.root)
        var new = earlier
        defer {
            state.withLock { [new] in $0 = new }
        }
        do {
            for files in input.snapshot.days.grouped(by: { "\($0)".prefix(7) }) {
                try Task.checkCancellation()
                let month = SidecarMonth(files: files, input: input)
                if new.months[month.name] == month.digest { continue }
                let before = outcome
                try month.update(&outcome)
                // The digest is that of the files before they were written. Solving a problem need not change a file:
                // the month is read again until then.
                new.months[month.name] = outcome == before ? month.digest : nil
                await Task.yield()
            }
        } catch {
            try? save(new, after: earlier, in: input.store)
            throw error
        }
        try save(new, after: earlier, in: input.store)
        return outcome
    }

    private func save(
        _ new: SidecarState, after earlier: SidecarState, in store: Store
    ) throws(SystemError) {
        if new != earlier { try store.write(new.json, to: SidecarState.path) }
    }
}
