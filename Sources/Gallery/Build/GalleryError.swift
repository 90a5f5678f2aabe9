internal import Glibc
package import Platform

/// Why the gallery could not be built.
package enum GalleryError: Error, Hashable, Sendable {
    /// A link or a file is in the place of a directory of pages.
    case obstructed(String)
    case system(SystemError)

    package init(_ error: any Error) {
        switch error {
        case let error as SystemError where error.isObstructed: self = .obstructed(error.path)
        case let error as SystemError: self = .system(error)
        default: self = .system(SystemError("build", path: "gallery", code: EIO))
        }
    }

    package var cause: SystemError? {
        if case .system(let error) = self { error } else { nil }
    }
}

extension GalleryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .obstructed(let path):
            "cannot write the gallery: \(path) is a link or a file that the mirror did not write; move it away"
        case .system(let error): "cannot write the gallery: \(error)"
        }
    }
}
