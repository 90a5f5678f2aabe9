internal import APOD
internal import Mirror

/// The XMP sidecars beside the pictures: `NAME.jpg.xmp`, from records and favorites.
struct SidecarsView: View {
    static let title = "the sidecars"
    static let ownedPaths = [OwnedPath(statePath)]

    private static let statePath = Layout.own + "/sidecars.json"
    private let states = MonthStates(at: statePath)

    init?(_ settings: ViewSettings) {
        guard settings.writesSidecars else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        let months = input.snapshot.days.grouped(by: Month.init(of:))
        return try await states.update(
            months.map { SidecarMonth(files: $0, input: input) }, in: input.store)
    }
}
