internal import APOD
internal import Mirror
internal import Thumbnails

/// The thumbnail of the newest picture, which is shown by the views after this one.
///
/// `ThumbnailService` makes all other thumbnails, and tries again after a failure.
struct ThumbnailsView: View {
    static let title = "the thumbnails"
    static let showsFavorites = false

    init?(_ settings: ViewSettings) {
        guard settings.makesThumbnails else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        if let thumbnail = await input.thumbnails?.makeNewest(in: input.snapshot) {
            outcome.changedPaths.append(thumbnail.path)
            outcome.changedDays.append(thumbnail.day)
        }
        return outcome
    }
}
