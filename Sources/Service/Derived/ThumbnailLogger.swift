internal import Platform
internal import Thumbnails

/// Turns outcomes of thumbnails into log lines: each condition once, a limited number of lines.
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

    /// The lines of a round, and whether each is about a failure.
    mutating func finish() -> [(line: String, isFailure: Bool)] {
        var lines: [(String, Bool)] = []
        if made > Self.maximumLines { lines.append(("made \(made) thumbnails", false)) }
        let new = failures.filter { !reported.contains($0) }
        lines += new.prefix(Self.maximumLines).map { ($0, true) }
        if new.count > Self.maximumLines {
            lines.append(
                ("\(counted(new.count - Self.maximumLines, "more day")) without a thumbnail", true))
        }
        reported = Set(failures)
        made = 0
        failures = []
        return lines
    }
}
