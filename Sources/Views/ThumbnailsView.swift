internal import APOD
internal import Mirror
internal import Thumbnails

/// The thumbnail of the newest picture, which pages and `latest.json` announce; `ThumbnailService` makes all others.
struct ThumbnailsView: View {
    static let title = "the thumbnails"
    static let ownedPaths = [OwnedPath(Thumbnails.failuresPath)]

    init?(_ settings: ViewSettings) {
        guard settings.makesThumbnails else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        // A failure of this picture is recorded, unless its file cannot be opened: `status` counts it, and
        // ThumbnailService retries it unless it is final.
        if let thumbnail = await input.thumbnails?.makeNewest(in: input.snapshot),
            case .success(let path) = thumbnail.result
        {
            outcome.changedPaths.append(path)
            outcome.changedDays.append(thumbnail.day)
        }
        return outcome
    }
}
