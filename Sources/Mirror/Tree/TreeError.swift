package import Platform

/// Why a directory cannot be used as a mirror.
package enum TreeError: Error, Hashable, Sendable {
    case notADirectory(String)
    case notAMirror(String)
    /// Files of somebody else lie there; one of them is named.
    case foreign(String, example: String)
    /// A mirror was here and is not: the disk is not mounted.
    case away(String)
    case newerFormat(String, found: Int, known: Int)
    case damagedMarker(String)
    case locked(String, pid: Int32?)
    case notWritable(SystemError)
    case system(SystemError)
}

extension TreeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notADirectory(let path):
            "\(path) is not a directory: choose another with --root"
        case .notAMirror(let path):
            "\(path) is not a mirror: name one with --root, or make one with “apod-mirror run”"
        case .foreign(let path, let example):
            "\(path) is not a mirror and not empty (it holds “\(example)”): choose an empty directory"
        case .away(let path):
            "\(path) held a mirror and is empty now: mount its disk and try again,"
                + " or start a new mirror there with “run --new”"
        case .newerFormat(let path, let found, let known):
            "\(path) was made by a newer apod-mirror (format \(found), this one knows \(known)): update"
        case .damagedMarker(let path):
            "\(path)/\(Layout.marker) is damaged: restore it from a backup, or remove it if that is all"
                + " right, and the mirror is taken as it stands"
        case .locked(let path, let pid):
            "\(path) is in use by another apod-mirror\(pid.map { " (process \($0))" } ?? ""):"
                + " stop it, or leave the work to it"
        case .notWritable(let error) where error.isNoSpace:
            "\(error): make room there, or choose another --root"
        case .notWritable(let error) where error.isReadOnly:
            "\(error): mount the disk writable, name the place in ReadWritePaths= if systemd hides it,"
                + " or choose another --root"
        case .notWritable(let error) where error.isNoFile:
            "\(error): move it away, and try again"
        case .notWritable(let error):
            "\(error): give this user the right to write there, or choose another --root"
        case .system(let error):
            error.description
        }
    }
}
