package import Platform

/// Why a picture has no thumbnail, rendition or conversion.
package enum ThumbnailFailure: Error, Hashable, Sendable {
    /// The day has no picture, or its file does not have the recorded size: tried again when it is repaired.
    case noPicture(String)
    /// The picture cannot be decoded: recorded, not retried.
    case rejected(String)
    /// The type is not supported: recorded, not reported.
    case unsupported(String)
    /// The thumbnailer crashed, hung or sent an invalid response. The picture may not be the cause and
    /// is retried with growing delays.
    case crashed(String)
    /// The thumbnailer cannot be started.
    case unavailable(String)
    /// The thumbnailer lacks something, such as memory: retried with growing delays.
    case failed(String)
    /// The daemon cannot read the picture or write the result: retried with growing delays.
    case system(SystemError)
    case cancelled

    /// The failure that any `error` of this module is.
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
        case .noPicture, .rejected, .unsupported, .crashed, .failed: false
        }
    }

    /// Whether the contents of the picture are the cause for certain: a retry is pointless.
    var isFinal: Bool {
        switch self {
        case .rejected, .unsupported: true
        case .noPicture, .crashed, .unavailable, .failed, .system, .cancelled: false
        }
    }

    /// Whether the contents of the picture are the cause for certain or probably: a retry at once takes time for nothing.
    package var blamesPicture: Bool {
        if case .crashed = self { return true }
        return isFinal
    }
}

extension ThumbnailFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPicture(let reason), .unsupported(let reason): reason
        case .rejected(let reason), .failed(let reason):
            "cannot make a thumbnail: \(reason.excerpt)"
        case .crashed(let reason):
            "cannot make the thumbnail, which is retried later: \(reason.excerpt)"
        case .unavailable(let reason): "cannot make thumbnails: \(reason.excerpt)"
        case .system(let error): "\(error)"
        case .cancelled: "interrupted"
        }
    }
}
