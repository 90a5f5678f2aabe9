package import Platform

/// Why a day has no thumbnail.
package enum ThumbnailFailure: Error, Hashable, Sendable {
    /// It has no picture, or not the one that its record tells of.
    case noPicture(String)
    /// Nothing can be made of this picture: it is marked, and not tried again.
    case refused(String)
    /// The picture ended the process that decodes: it is marked, and not tried again.
    case deadly(String)
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
        case .noPicture, .refused, .deadly, .failed: false
        }
    }

    /// Whether the picture is at fault, today and tomorrow.
    var isFinal: Bool {
        switch self {
        case .refused, .deadly: true
        case .noPicture, .unavailable, .failed, .system, .cancelled: false
        }
    }
}

extension ThumbnailFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPicture(let reason): reason
        case .refused(let reason): "no thumbnail can be made of the picture: \(reason.excerpt)"
        case .deadly(let reason): "the picture ended the process that decodes it: \(reason.excerpt)"
        case .unavailable(let reason): "no thumbnails are made: \(reason.excerpt)"
        case .failed(let reason): "the thumbnail could not be made: \(reason.excerpt)"
        case .system(let error): "\(error)"
        case .cancelled: "interrupted"
        }
    }
}
