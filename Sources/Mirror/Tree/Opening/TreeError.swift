package import Platform

/// Why a directory cannot be used as a mirror; the unlabeled text of a case is the path of the directory.
package enum TreeError: Error, Hashable, Sendable {
    case notADirectory(String)
    /// There is no such directory, or it has no marker and may not become a mirror here.
    case notAMirror(String)
    /// The directory contains other files, such as `example`.
    case notEmpty(String, example: String)
    /// The directory has pictures and records of a mirror, but at most a rest of `.apod-mirror/`: it is a copy without hidden files.
    case withoutHiddenFiles(String)
    /// A known mirror is missing; probably its disk is not mounted.
    case unmounted(String)
    /// The marker, `mirror.json`, has another format.
    case otherFormat(String, found: Int, known: Int)
    case damagedMarker(String)
    /// The directory has `.apod-mirror/`, but no marker in it.
    case missingMarker(String)
    /// Another process writes the mirror; the holder of the lock is `nil` if it is not known.
    case locked(String, by: FileLock.Holder?)
    /// The mirror that is open, or was, is no longer at its path, where now nothing or something else is.
    case gone(String)
    /// A file or directory at this path is no longer the one that was opened, but the same mirror may be there.
    case replaced(String)
    /// The mirror could not be created or opened for writing.
    case notWritable(SystemError)
    /// The directory could not be read.
    case system(SystemError)
}

extension TreeError {
    /// What a process says that waits until `holder` releases the lock; `holder` is `nil` if it is not known.
    package static func wait(for holder: FileLock.Holder?) -> String {
        "waiting for the lock of the mirror, held by \(holder?.text ?? "another process")"
    }
}

extension TreeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notADirectory(let path):
            "\(path) is not a directory; choose another with --root"
        case .notAMirror(let path):
            "\(path) is not a mirror; choose one with --root, or create one with “apod-mirror run”"
        case .notEmpty(let path, let example):
            "\(path) is not a mirror and not empty (it contains “\(example)”); choose an empty directory;"
                + " “apod-mirror adopt” imports pictures of APOD from another one"
        case .withoutHiddenFiles(let path):
            // Only the tables in `.apod-mirror/` prove that the mirror may replace the files of views.
            "\(path) is a copy of a mirror without its hidden files; copy .apod-mirror/, too, or make the copy a"
                + " mirror of its own: delete gallery/, index.html, feed.*, latest.*, v1/ and wallpapers/, which are"
                + " made again, move .apod-mirror/ away if it is there, then run “mkdir"
                + " \("\(path)/\(Layout.own)".shellWord)”"
        case .unmounted(let path):
            // A directory with internal files is never taken for an empty mount point.
            "\(path) was a mirror and is empty or missing now; mount its disk and try again; for a new mirror there,"
                + " first run “mkdir -p \("\(path)/\(Layout.own)".shellWord)”"
        case .otherFormat(let path, let found, let known) where found > known:
            "\(path) has format \(found), and this version supports format \(known); update apod-mirror"
        case .otherFormat(let path, let found, let known):
            "\(path) has format \(found), and this version supports format \(known); move it away and sync"
                + " again (“apod-mirror adopt” imports its pictures), or keep the version that made it"
        case .damagedMarker(let path):
            "\(path)/\(Layout.marker) is damaged; restore it from a backup, or remove it: the"
                + " pictures and records stay, and the next run creates it again"
        case .missingMarker(let path):
            "\(path)/\(Layout.marker) does not exist; the next “apod-mirror run” creates it again"
        case .locked(let path, let holder):
            "\(path) is in use by another apod-mirror\(holder?.text.map { " (\($0))" } ?? "");"
                + " stop that process first"
        case .gone(let path):
            "\(path) is no longer the mirror that was opened (it or its folder \(Layout.own)/ was moved or removed, or its"
                + " disk is away); move it back, or mount its disk; if a new mirror is there by now, move that one"
                + " away first; then start apod-mirror again"
        case .replaced(let path):
            "\(path) is no longer what was opened (it was exchanged, as by a restore, or its disk failed and"
                + " returned); start apod-mirror again"
        case .notWritable(let error) where error.isReadOnly:
            "\(error); remount it writable, add it to ReadWritePaths= if it is a systemd service,"
                + " or choose another --root"
        case .notWritable(let error) where error.cause == .invalid:
            "\(error); move it away and try again"
        case .notWritable(let error) where error.cause == .denied:
            "\(error); give this user write permission there, or choose another --root"
        case .notWritable(let error):
            "\(error); \(error.remedy ?? "check the disk"), or choose another --root"
        case .system(let error):
            error.advice
        }
    }
}
