internal import Glibc
package import Platform

/// The directory of a mirror, open for reading, or for reading and writing.
///
/// A tree opened for writing holds the lock for its life: there is one writer at a time.
package final class Tree: Sendable {
    package let root: Folder
    /// Random, the same for the life of the mirror wherever it is moved.
    package let id: String
    private let lock: FileLock?

    private init(root: Folder, id: String, lock: consuming FileLock?) {
        self.root = root
        self.id = id
        self.lock = lock
    }

    /// Opens the mirror at `path` to look at it.
    package static func reading(_ path: String, known: KnownMirrors) throws(TreeError) -> Tree {
        let root = try open(path)
        if let marker = try Marker(in: root) {
            return Tree(root: root, id: marker.id, lock: nil)
        }
        throw known.contains(path) ? .away(path) : .notAMirror(path)
    }

    /// Opens the mirror at `path` to keep it, made where there is nothing yet.
    ///
    /// - Parameters:
    ///   - path: Absolute, without links or dots.
    ///   - known: Which directories held a mirror before.
    ///   - isNew: Whether a new mirror may be started where one was known and is away.
    /// - Returns: The tree, locked, with nothing left under way.
    /// - Throws: ``TreeError``; nothing was changed then.
    package static func writing(
        _ path: String, known: KnownMirrors, isNew: Bool = false
    ) throws(TreeError) -> Tree {
        var isNew = isNew
        if !exists(path) {
            if isAway(path, known), !isNew { throw .away(path) }
            try make(path)
            isNew = true
        }
        let root = try open(path)
        let found = try Marker(in: root)
        if found == nil { try checkVacancy(of: root, known: known, isNew: isNew) }
        do {
            return try take(root, found, known)
        } catch {
            throw (error as? TreeError)
                ?? .notWritable(
                    (error as? SystemError) ?? SystemError("open", path: path, code: EIO))
        }
    }

    private static func take(
        _ root: Folder, _ found: Marker?, _ known: KnownMirrors
    ) throws -> Tree {
        let own = try root.makeFolder(Layout.own)
        guard let lock = try FileLock.take(Layout.lock, in: own) else {
            let pid = try? FileLock.holder(Layout.lock, in: own)
            throw TreeError.locked(root.path, pid: pid)
        }
        let incoming = try root.makeFolder(Layout.incoming)
        for name in try incoming.textNames() { try incoming.remove(name) }
        // Somebody else may have made the mirror between the first look and the lock.
        let marker = try found ?? Marker(in: root) ?? Marker()
        if found == nil {
            let name = Layout.split(Layout.marker).name
            try Draft.publish(marker.json.document, in: own, as: name, through: incoming)
        }
        known.add(root.path, on: UInt(try root.status().identity.device))
        return Tree(root: root, id: marker.id, lock: lock)
    }

    /// The process that keeps this mirror now, `nil` where none does.
    package var writer: Int32? {
        guard let own = try? root.folder(Layout.own) else { return nil }
        return try? FileLock.holder(Layout.lock, in: own)
    }

    /// Whether a file stands at `path`, relative to the root.
    func exists(_ path: String) -> Bool {
        (try? root.status(path))??.kind == .file
    }

    /// Whether the mirror that was at `path` went with the disk it was on.
    ///
    /// On the disk where it was, somebody removed it.
    private static func isAway(_ path: String, _ known: KnownMirrors) -> Bool {
        guard let device = known.device(of: path) else { return false }
        var above = path
        while !exists(above), let slash = above.lastIndex(of: "/") {
            above = slash == above.startIndex ? "/" : String(above[..<slash])
        }
        return (try? Folder(opening: above).status().identity.device).map(UInt.init) != device
    }

    private static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    private static func open(_ path: String) throws(TreeError) -> Folder {
        do {
            return try Folder(opening: path)
        } catch  where error.code == ENOTDIR {
            throw .notADirectory(path)
        } catch  where error.code == ENOENT {
            throw .notAMirror(path)
        } catch {
            throw .system(error)
        }
    }

    private static func make(_ path: String) throws(TreeError) {
        do {
            _ = try Folder(opening: "/").makeFolder(String(path.drop { $0 == "/" }))
        } catch  where error.code == ENOTDIR {
            throw .notADirectory(path)
        } catch {
            throw .notWritable(error)
        }
    }

    /// Whether nothing of anybody else lies where a new mirror is to be.
    private static func checkVacancy(
        of root: Folder, known: KnownMirrors, isNew: Bool
    ) throws(TreeError) {
        let names: [String]
        do {
            names = try root.names().map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw .system(error)
        }
        // A directory of ours without its marker: made and not finished, or the marker was removed.
        if names.contains(Layout.own) { return }
        if let foreign = names.sorted().first(where: { !isVacant($0) }) {
            throw .foreign(root.path, example: foreign)
        }
        if known.contains(root.path), !isNew { throw .away(root.path) }
    }

    /// Whether a mirror may be made beside the thing called `name`.
    ///
    /// The packages make favorites/ beforehand, the file system lost+found, a doctor what is his.
    package static func isVacant(_ name: String) -> Bool {
        ["favorites", "lost+found"].contains(name) || name.hasPrefix(Layout.doctor)
    }
}
