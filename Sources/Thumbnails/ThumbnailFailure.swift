package import Platform

/// Why a day has no thumbnail.
package enum ThumbnailFailure: Error, Hashable, Sendable {
    /// It has no picture, or not the one that its record tells of.
    case noPicture(String)
    /// Nothing can be made of this picture: it is marked, and not tried again.
    case refused(String)
    /// Thumbnails are not made of pictures of this kind: it is marked, and nothing is said.
    case unsupported(String)
    /// The process that decodes gave no verdict: it crashed, hung or made no sense. The picture need not
    /// be at fault, and is tried again with growing delays.
    case crashed(String)
    /// There is no process that decodes: no thumbnail can be made at all.
    case unavailable(String)
    /// Something of this machine stood in the way.
    case failed(String)
    case system(SystemError)
    case cancelled

    /// Whether the next picture would fare no better.
    package var isAboutAll: Bool {
        switch self {
        case .unavailable, .cancelled: true
        case .system(let error): error.isNoSpace
        case .noPicture, .refused, .unsupported, .crashed, .failed: false
        }
    }

    /// Whether nothing can ever be made of the picture.
    var isFinal: Bool {
        switch self {
        case .refused, .unsupported: true
        case .noPicture, .crashed, .unavailable, .failed, .system, .cancelled: false
        }
    }
}

extension ThumbnailFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPicture(let reason): reason
        case .unsupported(let reason): reason
        case .refused(let reason): "no thumbnail can be made of the picture: \(reason.excerpt)"
        case .crashed(let reason):
            "the process that decodes the picture failed, and is tried again later: \(reason.excerpt)"
        case .unavailable(let reason): "no thumbnails are made: \(reason.excerpt)"
        case .failed(let reason): "the thumbnail could not be made: \(reason.excerpt)"
        case .system(let error): "\(error)"
        case .cancelled: "interrupted"
        }
    }
}
