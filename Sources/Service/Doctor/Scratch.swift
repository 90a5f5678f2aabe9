internal import Glibc
internal import Mirror
internal import Platform

/// A directory for test files on the file system of the mirror.
///
/// In a mirror it is `incoming/`, which the daemon empties at each start. Elsewhere it is a directory
/// of its own, which the next doctor removes if this one is killed.
final class Scratch: Sendable {
    /// The directory of the test files.
    let folder: Directory
    private let parent: Directory
    private let name: String
    private let isOwn: Bool
    private let prefix = Layout.doctorFile("", of: getpid())

    /// Opens or creates it in `place`, the root of a mirror if `isMirror`.
    init(in place: Directory, isMirror: Bool) throws(SystemError) {
        let (above, name) = Layout.split(Layout.incoming)
        if isMirror, let parent = try place.folder(above), let folder = try parent.folder(name) {
            isOwn = false
            self.parent = parent
            self.folder = folder
            self.name = name
        } else {
            isOwn = true
            Self.removeLeftovers(in: place)
            parent = place
            self.name = "\(Layout.doctor)\(getpid())"
            folder = try place.makeDirectory(self.name)
        }
        // An existing directory may not be writable.
        _ = try folder.open(self.name(of: "right"), O_WRONLY | O_CREAT)
    }

    deinit {
        for name in (try? folder.textNames()) ?? [] where name.hasPrefix(prefix) {
            try? folder.remove(name)
        }
        if isOwn { try? parent.removeFolder(name) }
    }

    /// A unique name for `thing`.
    func name(of thing: String) -> String { prefix + thing }

    /// Removes directories of killed doctors.
    private static func removeLeftovers(in place: Directory) {
        for name in (try? place.textNames()) ?? [] where name.hasPrefix(Layout.doctor) {
            guard let id = Int32(name.dropFirst(Layout.doctor.count)), kill(id, 0) != 0,
                errno == ESRCH, let folder = try? place.folder(name)
            else { continue }
            for thing in (try? folder.textNames()) ?? [] where Layout.isDoctorFile(thing) {
                try? folder.remove(thing)
            }
            try? place.removeFolder(name)
        }
    }
}
