package import Platform

/// Why a day has no thumbnail.
package enum ThumbnailFailure: Error, Hashable, Sendable {
    /// The day has no picture, or not the one of its record.
    case noPicture(String)
    /// The picture cannot be decoded: recorded, not retried.
    case rejected(String)
    /// The type is not supported: recorded, not reported.
    case unsupported(String)
    /// The thumbnailer crashed, hung or sent an invalid response. The picture may not be the cause and
    /// is retried with growing delays.
    case crashed(String)
    /// The thumbnailer cannot be started: no thumbnail can be made at all.
    case unavailable(String)
    /// A failure of this machine.
    case failed(String)
    case system(SystemError)
    case cancelled

    init(_ error: any Error) {
        self =
            switch error {
            case let failure as ThumbnailFailure: failure
            case let error as SystemError: .system(error)
            default: .failed("\(error)")
            }
    }

    /// Whether every other picture would fail, too.
    package var isAboutAll: Bool {
        switch self {
        case .unavailable, .cancelled: true
        case .system(let error): error.isNoSpace
        case .noPicture, .rejected, .unsupported, .crashed, .failed: false
        }
    }

    /// Whether a retry is pointless.
    var isFinal: Bool {
        switch self {
        case .rejected, .unsupported: true
        case .noPicture, .crashed, .unavailable, .failed, .system, .cancelled: false
        }
    }
}

extension ThumbnailFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPicture(let reason), .unsupported(let reason): reason
        case .rejected(let reason): "cannot make a thumbnail: \(reason.excerpt)"
        case .crashed(let reason):
            "cannot make the thumbnail, which is retried later: \(reason.excerpt)"
        case .unavailable(let reason):
            "cannot make thumbnails: \(reason.excerpt)"
        case .failed(let reason): "cannot make the thumbnail: \(reason.excerpt)"
        case .system(let error): "\(error)"
        case .cancelled: "interrupted"
        }
    }
}
