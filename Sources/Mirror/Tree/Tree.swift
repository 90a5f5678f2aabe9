internal import Glibc
internal import JSON
package import Platform

/// The directory of a mirror, open for reading, or for reading and writing.
///
/// A tree opened for writing holds the lock for its life: there is one writer at a time.
package final class Tree: Sendable {
    package let root: Directory
    /// Random, the same for the life of the mirror wherever it is moved.
    package let id: String
    /// Whether it was a mirror without `.apod-mirror/`, such as a copy without hidden files, until now.
    package let isAdopted: Bool
    private let lock: FileLock?

    private init(root: Directory, id: String, isAdopted: Bool = false, lock: consuming FileLock?) {
        self.root = root
        self.id = id
        self.isAdopted = isAdopted
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
        let isCopy =
            found == nil ? try checkVacancy(of: root, known: known, isNew: isNew) : false
        do {
            return try take(root, found, known, isCopy: isCopy)
        } catch {
            throw (error as? TreeError)
                ?? .notWritable(
                    (error as? SystemError) ?? SystemError("open", path: path, code: EIO))
        }
    }

    private static func take(
        _ root: Directory, _ found: Marker?, _ known: KnownMirrors, isCopy: Bool
    ) throws -> Tree {
        let own = try root.makeDirectory(Layout.own)
        guard let lock = try FileLock.take(Layout.lock, in: own) else {
            let pid = try? FileLock.holder(Layout.lock, in: own)
            throw TreeError.locked(root.path, pid: pid)
        }
        let incoming = try own.emptyIncoming()
        // Somebody else may have made the mirror between the first look and the lock.
        let marker = try found ?? Marker(in: root) ?? Marker()
        if found == nil {
            let name = Layout.split(Layout.marker).name
            try AtomicFile.publish(marker.json.document, in: own, as: name, through: incoming)
        }
        known.add(root.path, on: UInt(try root.status().identity.device))
        return Tree(root: root, id: marker.id, isAdopted: isCopy, lock: lock)
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
        return (try? Directory(opening: above).status().identity.device).map(UInt.init) != device
    }

    private static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    private static func open(_ path: String) throws(TreeError) -> Directory {
        do {
            return try Directory(opening: path)
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
            _ = try Directory(opening: "/").makeDirectory(String(path.drop { $0 == "/" }))
        } catch  where error.code == ENOTDIR {
            throw .notADirectory(path)
        } catch {
            throw .notWritable(error)
        }
    }

    /// Checks that nothing of anybody else lies where a new mirror is to be.
    ///
    /// - Returns: Whether a mirror without its marker lies there.
    private static func checkVacancy(
        of root: Directory, known: KnownMirrors, isNew: Bool
    ) throws(TreeError) -> Bool {
        let names: [String]
        do {
            names = try root.names().map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw .system(error)
        }
        // A directory of ours without its marker: made and not finished, or the marker was removed.
        if names.contains(Layout.own) { return false }
        if isCopy(root) { return true }
        if let foreign = names.sorted().first(where: { !isVacant($0) }) {
            throw .foreign(root.path, example: foreign)
        }
        if known.contains(root.path), !isNew { throw .away(root.path) }
        return false
    }

    /// Whether `root` holds pictures and records of our format: a mirror copied without its hidden files.
    private static func isCopy(_ root: Directory) -> Bool {
        guard (try? root.status(Layout.pictures))??.kind == .directory,
            (try? root.status(Layout.metadata))??.kind == .directory
        else { return false }
        let years = (try? root.folder(Layout.metadata)?.textNames()) ?? []
        for year in years.sorted().reversed() {
            let path = "\(Layout.metadata)/\(year)"
            for month in ((try? root.folder(path)?.textNames()) ?? []).sorted().reversed() {
                let names = (try? root.folder("\(path)/\(month)")?.textNames()) ?? []
                for name in names {
                    guard let bytes = try? root.read("\(path)/\(month)/\(name)", limit: 16 << 20),
                        let record = (try? JSON(parsing: bytes)).flatMap({ DayRecord($0) }),
                        Layout.record(of: record.entry.day) == name
                    else { continue }
                    return true
                }
            }
        }
        return false
    }

    /// Whether a mirror may be made beside the thing called `name`.
    ///
    /// The packages make favorites/ beforehand, the file system lost+found, a doctor what is his.
    package static func isVacant(_ name: String) -> Bool {
        ["favorites", "lost+found"].contains(name) || name.hasPrefix(Layout.doctor)
    }
}
