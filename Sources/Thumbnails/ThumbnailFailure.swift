package import Platform

/// Why a picture has no thumbnail, rendition or conversion; ``FailedPictures`` says when it is tried again.
package enum ThumbnailFailure: Error, Hashable, Sendable {
    /// The day has no picture, or the file of the picture does not have the recorded size, and may be repaired.
    case noPicture(String)
    /// The picture cannot be decoded, or not within the limit of memory.
    case rejected(String)
    /// The thumbnailer crashed, hung or sent an invalid response. The picture may not be the cause.
    case crashed(String)
    /// The thumbnailer is not installed or cannot be started.
    case unavailable(String)
    /// The thumbnailer cannot read or write, or the picture does not match its record, and may be repaired.
    case failed(String)
    /// A file of the user is in the way.
    case obstructed(String)
    /// The daemon cannot read the picture or write the result.
    case system(SystemError)
    case cancelled

    /// The failure behind any `error` of this module.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as ThumbnailFailure: failure
            case let error as SystemError: error.isCancelled ? .cancelled : .system(error)
            case is CancellationError: .cancelled
            default: .failed("\(error)")
            }
    }

    /// Whether the same happens with every other picture.
    package var affectsAllPictures: Bool {
        switch self {
        case .unavailable, .cancelled: true
        case .system(let error): error.isNoSpace
        case .noPicture, .rejected, .crashed, .failed, .obstructed: false
        }
    }

    /// Whether the contents of this picture are certainly the cause.
    var rejectsPicture: Bool { if case .rejected = self { true } else { false } }
}

extension ThumbnailFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPicture(let reason), .obstructed(let reason): reason
        case .rejected(let reason), .failed(let reason):
            "cannot decode the picture: \(reason.excerpt)"
        case .crashed(let reason):
            "cannot decode the picture, which is retried later: \(reason.excerpt)"
        case .unavailable(let reason): "cannot make thumbnails: \(reason.excerpt)"
        case .system(let error): "\(error)"
        case .cancelled: "interrupted"
        }
    }
}
