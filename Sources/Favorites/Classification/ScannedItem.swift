internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
package import Platform

/// An item in `favorites/` as lstat(2) and readlink(2) describe it.
package struct ScannedItem: Hashable, Sendable {
    package let name: FavoriteName
    package let kind: FileStatus.FileType
    package let identity: FileIdentity
    /// In bytes.
    package let size: Int
    /// The text of a symbolic link, empty if it is too long; `nil` for other items.
    package let linkTarget: [UInt8]?
    /// The times of the modification and of the last change since 1970; zero for symbolic links.
    var modified = Duration.zero
    var changed = Duration.zero
}

extension ScannedItem {
    /// `nil` if the path of `item` is no valid ``FavoriteName``.
    init?(_ item: DirectoryListing.Item) {
        guard let name = FavoriteName(item.path) else { return nil }
        switch item.details {
        case .link(let target):
            self.init(
                name: name, kind: item.kind, identity: item.identity, size: 0, linkTarget: target)
        case .other(let status):
            self.init(
                name: name, kind: item.kind, identity: item.identity, size: status.size,
                linkTarget: nil, modified: status.exactlyModified, changed: status.exactlyChanged)
        }
    }

    /// The date with which the name begins: `2026-11-20 edited.jpg`; `nil` if it begins with none.
    var namedDay: Day? { FileName.day(of: name.last) }

    /// A time at which the last change was over: the kernel rounds times down, by up to 10 milliseconds.
    var latestPossibleChange: Date {
        Date(timeIntervalSince1970: changed / .seconds(1) + 0.01)
    }

    /// Whether the last change was within two seconds of `now`, in seconds since 1970.
    ///
    /// Another change may then leave the time as it is.
    func hasJustChanged(at now: Int) -> Bool {
        // A difference could overflow, because the disk may have any time.
        (now - 2...now + 2).contains(Int(changed.components.seconds))
    }
}

/// Reads a file in `favorites/` as it was scanned. `root` is the root directory of the mirror.
///
/// All functions throw `ESTALE` if another file has the name now, and ``SystemError/growing`` if the file has grown since.
extension ScannedItem {
    func readStart(in root: Directory, limit: Int) throws(SystemError) -> [UInt8] {
        try open(in: root).readStart(limit: min(size, limit), path: path)
    }

    func sha256(in root: Directory) throws(SystemError) -> String {
        do throws(SystemError) {
            return try open(in: root).sha256(path: path, limit: size)
        } catch  where error.code == EFBIG {
            throw SystemError("read", path: path, code: SystemError.growing)
        }
    }

    private func open(in root: Directory) throws(SystemError) -> FileDescriptor {
        let file = try root.openToRead(name.path)
        let status = try file.status(path: path)
        guard status.kind == .file, status.identity == identity else {
            throw SystemError("open", path: path, code: ESTALE)
        }
        // mutation test: grown-copy (see Tests/Mutants)
        guard status.size <= size else {
            throw SystemError("read", path: path, code: SystemError.growing)
        }
        return file
    }

    /// The path in the mirror, for messages.
    private var path: String { "\(Layout.favorites)/\(name.text)" }
}
