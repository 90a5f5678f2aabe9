internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Thumbnails

/// The result of making missing thumbnails and renditions.
package struct ThumbnailSummary: Hashable, Sendable {
    /// Why no thumbnails can be made at all.
    package enum Obstacle: Hashable, Sendable {
        case noSpace
        /// The thumbnailer does not start, or the mirror cannot be read.
        case other
    }

    /// Why something was not made.
    struct Failure: Hashable, Sendable {
        /// The path of the file, or of the directory of all that were not made.
        let path: String
        /// For a line of the log.
        let text: String
    }

    /// The number of thumbnails.
    package internal(set) var missing = 0
    package internal(set) var obstacle: Obstacle?
    /// Whether an error that is not of a single picture ended the renditions.
    var lacksRenditions = false
    /// When the first failed thumbnail or rendition is due.
    var nextRetry: Date?
    /// The reason of the first thumbnail that failed.
    package internal(set) var reason: String?
    /// The number of thumbnails.
    private(set) var made = 0
    private(set) var failures: [Failure] = []
    /// The paths of the files that were made, and of the directories that were brought up to date except for single files.
    private(set) var successes: Set<String> = []

    mutating func record(_ thumbnail: ThumbnailOutcome) {
        let path = Layout.thumbnail(of: thumbnail.day)
        guard case .failure(let failure) = thumbnail.result else {
            made += 1
            successes.insert(path)
            return
        }
        reason = reason ?? "\(failure)"
        switch failure {
        // Unsupported types are counted in the status, but are not a failure.
        case .cancelled, .unsupported: return
        case .system(let error) where error.isNoSpace: obstacle = .noSpace
        case .unavailable: obstacle = .other
        default: break
        }
        let isOfAll = failure.affectsAllPictures
        failures.append(
            isOfAll
                ? Failure(path: Layout.thumbnails, text: "\(failure)")
                : Failure(path: path, text: "\(thumbnail.day): \(failure)"))
    }

    /// Records that all thumbnails were tried, or the `error` that prevented it.
    mutating func recordEnd(_ error: (any Error)? = nil) {
        guard let error else {
            if obstacle == nil { successes.insert(Layout.thumbnails) }
            return
        }
        obstacle = .other
        reason = "\(error)"
        failures.append(
            Failure(path: Layout.thumbnails, text: "cannot make thumbnails: \(error)"))
    }

    /// Records the outcome of the rendition at `path`.
    mutating func record(_ rendition: ThumbnailOutcome, at path: String) {
        switch rendition.result {
        case .success: successes.insert(path)
        case .failure(let failure):
            failures.append(Failure(path: path, text: "cannot make \(path): \(failure)"))
        }
    }

    /// Records that all renditions in `folder` were tried, or the `error` that prevented it.
    mutating func recordEnd(ofRenditionsIn folder: String, _ error: (any Error)? = nil) {
        guard let error else {
            successes.insert(folder)
            return
        }
        lacksRenditions = true
        failures.append(
            Failure(path: folder, text: "cannot make renditions in \(folder)/: \(error)"))
    }
}
