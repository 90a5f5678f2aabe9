package import Platform

/// Why ``Thumbnails`` could not make a JPEG of a picture: a thumbnail, a rendition or `latest.jpg`.
///
/// The description is a sentence for the log and for `status`. Each case says when the JPEG is tried again; ``FailedPictures``
/// measures the delays, and `ThumbnailService` those of failures of all pictures.
package enum ThumbnailFailure: Error, Hashable, Sendable {
    /// The day has no picture, or its file does not have the recorded size: tried in each round, as a sync may repair that.
    case noPicture(sentence: String)
    /// The picture cannot be decoded, or not within the limit of memory: tried again after a day.
    case rejected(reason: String)
    /// The thumbnailer crashed, hung or sent an invalid response. The picture may not be the cause: tried again after a day.
    case crashed(reason: String)
    /// The picture does not match its record, or the thumbnailer cannot read it or write the JPEG: tried again after a day.
    case notDecoded(reason: String)
    /// A file of the user has the path of the JPEG: tried again after a day.
    case obstructed(sentence: String)
    /// This process cannot read the picture or write the JPEG: tried again with growing delays.
    ///
    /// If the disk is full, this is a failure of all pictures.
    case system(SystemError)
    /// The thumbnailer is not installed or cannot be started: a failure of all pictures.
    case unavailable(reason: String)
    /// The task was cancelled, which ends the round without a report.
    case cancelled

    /// The failure that an `error` of reading, decoding or publishing means.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as ThumbnailFailure: failure
            case let error as SystemError: error.isCancelled ? .cancelled : .system(error)
            case is CancellationError: .cancelled
            default: .notDecoded(reason: "\(error)")
            }
    }

    /// Whether the round ends, because no other picture can be made now, either.
    package var affectsAllPictures: Bool {
        switch self {
        case .unavailable, .cancelled: true
        case .system(let error): error.isNoSpace
        case .noPicture, .rejected, .crashed, .notDecoded, .obstructed: false
        }
    }

    /// Whether the contents of the picture are certainly the cause, so that `status` counts the picture as rejected.
    var isCausedByPicture: Bool { if case .rejected = self { true } else { false } }
}

extension ThumbnailFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPicture(let sentence), .obstructed(let sentence): sentence
        case .rejected(let reason), .notDecoded(let reason):
            "cannot decode the picture: \(reason.excerpt)"
        case .crashed(let reason):
            "cannot decode the picture, which is retried later: \(reason.excerpt)"
        case .unavailable(let reason): "cannot make thumbnails: \(reason.excerpt)"
        case .system(let error): "\(error)"
        case .cancelled: "interrupted"
        }
    }
}
