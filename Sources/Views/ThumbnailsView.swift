internal import APOD
internal import Mirror
internal import Thumbnails

/// The thumbnail of the newest picture, which the pages and `latest.json` announce.
///
/// Those of all other days take longer, and are made beside the other views: see ``Thumbnails``.
struct ThumbnailsView: View {
    static let title = "the thumbnails"
    static let ownedPaths = [OwnedPath(Thumbnails.failuresPath)]

    init?(_ settings: ViewSettings) {
        guard settings.makesThumbnails else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        // The thumbnails report their failures themselves.
        if let thumbnail = await input.thumbnails?.makeNewest(in: input.snapshot),
            case .success(let path) = thumbnail.result
        {
            outcome.written.append(path)
            outcome.changedDays.append(thumbnail.day)
        }
        return outcome
    }
}
