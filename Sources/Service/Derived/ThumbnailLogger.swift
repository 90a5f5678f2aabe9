internal import Platform
internal import Thumbnails

/// Logs the outcomes of thumbnails: each condition once, a limited number of lines.
struct ThumbnailLogger {
    private var made = 0
    private var failures: [String] = []
    /// The failures of the last round, which are not reported again.
    private var reported: Set<String> = []

    /// The maximum number of failures that are logged one by one.
    private static let maximumLines = 3

    mutating func record(_ thumbnail: Thumbnail) {
        switch thumbnail.result {
        case .success: made += 1
        // Unsupported types are counted in the status, but are not a failure.
        case .failure(.cancelled), .failure(.unsupported): break
        case .failure(let failure):
            failures.append(
                failure.isAboutAll ? "\(failure)" : "\(thumbnail.day): \(failure)")
        }
    }

    mutating func record(_ error: any Error) {
        failures.append("cannot make thumbnails: \(error)")
    }

    /// Logs the result of a round and prepares for the next.
    mutating func finish(_ log: Log) {
        if made > Self.maximumLines { log.debug("made \(made) thumbnails") }
        let new = failures.filter { !reported.contains($0) }
        for line in new.prefix(Self.maximumLines) { log.warning(line) }
        if new.count > Self.maximumLines {
            let more = counted(new.count - Self.maximumLines, "more day")
            log.warning("\(more) without a thumbnail")
        }
        reported = Set(failures)
        made = 0
        failures = []
    }
}
