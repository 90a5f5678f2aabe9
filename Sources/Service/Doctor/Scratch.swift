internal import Glibc
internal import Mirror
internal import Platform

/// A place on the file system of a mirror to try things out in, empty again afterwards.
///
/// In a mirror it is `incoming/`, which is emptied at each start of the daemon, so that nothing stays
/// even of a doctor who is killed. Elsewhere it is a directory of its own, which the next doctor removes.
final class Scratch: Sendable {
    /// The directory that things are tried out in, and what it is called in ``parent``.
    let folder: Directory
    let parent: Directory
    let name: String
    private let isOwn: Bool
    private let prefix = "doctor-\(getpid())-"

    /// Makes it in `place`, which is the root of a mirror where `isMirror`.
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
        // To have a directory is one thing, to make a file in it another.
        _ = try folder.open(self.name(of: "right"), O_WRONLY | O_CREAT)
    }

    deinit { removeAll() }

    /// A name of this process's own for `thing`.
    func name(of thing: String) -> String { prefix + thing }

    /// An empty file, without a name where the file system can do that.
    func file(_ thing: String) throws(SystemError) -> FileDescriptor {
        do {
            return try folder.openUnnamed()
        } catch  where [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.code) {
            return try folder.open(name(of: thing), O_RDWR | O_CREAT | O_TRUNC)
        }
    }

    private func removeAll() {
        for name in (try? folder.textNames()) ?? [] where name.hasPrefix(prefix) {
            try? folder.remove(name)
        }
        if isOwn { try? parent.removeFolder(bytes: Array(name.utf8)) }
    }

    /// Removes what doctors who were killed left behind.
    private static func removeLeftovers(in place: Directory) {
        for name in (try? place.textNames()) ?? [] where name.hasPrefix(Layout.doctor) {
            guard let id = Int32(name.dropFirst(Layout.doctor.count)), kill(id, 0) != 0,
                errno == ESRCH, let folder = try? place.folder(name)
            else { continue }
            for thing in (try? folder.textNames()) ?? [] where thing.hasPrefix("doctor-") {
                try? folder.remove(thing)
            }
            try? place.removeFolder(bytes: Array(name.utf8))
        }
    }
}
