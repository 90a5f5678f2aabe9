internal import Glibc
internal import Mirror
package import Platform

/// Why the gallery could not be made.
package enum GalleryError: Error, Hashable, Sendable {
    /// Something of somebody else's has the place of a page or of the folder of the pages.
    case inTheWay(String)
    case system(SystemError)

    package init(_ error: any Error) {
        switch error {
        case let error as GalleryError: self = error
        case let error as SystemError where error.isInTheWay: self = .inTheWay(error.path)
        case let error as SystemError: self = .system(error)
        default: self = .system(SystemError("make", path: "the gallery", code: EIO))
        }
    }

    package var isNoSpace: Bool {
        if case .system(let error) = self { error.isNoSpace } else { false }
    }

    package var isReadOnly: Bool {
        if case .system(let error) = self { error.isReadOnly } else { false }
    }
}

extension GalleryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inTheWay(let path):
            "the gallery needs the place of \(path), which is a link or something else that the mirror"
                + " did not make: move it away"
        case .system(let error): "the gallery cannot be written: \(error)"
        }
    }
}
