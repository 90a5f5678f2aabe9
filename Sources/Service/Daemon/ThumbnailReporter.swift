internal import Platform
internal import Thumbnails

/// Turns what became of thumbnails into lines for the log: one a condition, few whatever happens.
struct ThumbnailReporter {
    private var made = 0
    private var troubles: [String] = []
    /// What was said last, so that it is not said again until it changes.
    private var said: Set<String> = []

    /// So many are told of one by one.
    private static let few = 3

    mutating func take(_ thumbnail: Thumbnail) {
        switch thumbnail.result {
        case .success: made += 1
        // What has no thumbnail for what it is counts in the status, and is nobody's trouble.
        case .failure(.cancelled), .failure(.unsupported): break
        case .failure(let failure):
            troubles.append(
                failure.isAboutAll ? "\(failure)" : "\(thumbnail.day): \(failure)")
        }
    }

    mutating func take(_ error: any Error) {
        troubles.append("the thumbnails: \(error)")
    }

    /// The lines of a look, and whether each is about something that went wrong.
    mutating func finish() -> [(line: String, isTrouble: Bool)] {
        var lines: [(String, Bool)] = []
        if made > Self.few { lines.append(("\(made) thumbnails were made", false)) }
        let news = troubles.filter { !said.contains($0) }
        lines += news.prefix(Self.few).map { ($0, true) }
        if news.count > Self.few {
            lines.append(
                ("\(counted(news.count - Self.few, "more day")) without a thumbnail", true))
        }
        said = Set(troubles)
        made = 0
        troubles = []
        return lines
    }
}
