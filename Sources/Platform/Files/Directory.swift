internal import CLinux
internal import Glibc

/// An open directory, by which this program reads and changes everything beneath it.
///
/// A path is resolved beneath the directory, and a symbolic link in it fails with `ELOOP`, see openat2(2). Operations on a
/// name, such as ``remove(_:)``, open its parent in the same way. A path has one slash between two names, and no `.` or `..`
/// among them; `.` alone is the directory.
///
/// This file opens paths. Extensions read files and names, change names, and examine the file system.
package final class Directory: Sendable {
    /// The path of the directory in errors.
    package let path: String
    /// Open as long as this object exists.
    let descriptor: FileDescriptor
    private let mountRule: MountRule

    /// Which mounts beneath a directory can be entered; entering another one fails with `EXDEV`.
    private enum MountRule {
        case entersAll
        case entersNone
        /// Enters no mount beneath the folder of this name in the directory; the folder may be a mount itself.
        case entersNoneIn(folder: [UInt8])
    }

    private init(_ descriptor: consuming FileDescriptor, path: String, _ mountRule: MountRule) {
        self.descriptor = descriptor
        self.path = path
        self.mountRule = mountRule
    }

    /// Opens the directory at `path`, which a user chose, so that links in it are followed.
    ///
    /// No mount beneath the folder called `folder` in the directory is entered, because a network disk that is mounted there
    /// may not answer. The folder itself may be a mount.
    package init(
        opening path: String, enteringNoMountsIn folder: String? = nil
    ) throws(SystemError) {
        precondition(folder?.utf8.contains(UInt8(ascii: "/")) != true, "a name, not a path")
        descriptor = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
        self.path = path
        mountRule = folder.map { .entersNoneIn(folder: $0.pathBytes) } ?? .entersAll
    }

    // MARK: Opening what is beneath

    /// Opens the file at `relative` as openat2(2) does; the umask limits the `mode` of a new file.
    ///
    /// Fails with `EXDEV` for a mount that is not entered.
    package func open(
        _ relative: some PathBytes, _ flags: CInt, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileDescriptor {
        let bytes = relative.pathBytes
        guard !bytes.contains(0) else {
            throw SystemError("open", path: pathOf(relative), code: EINVAL)
        }
        if case .entersNoneIn(let folder) = mountRule, let rest = Self.path(bytes, in: folder) {
            return try openDirectory(folder, Self.pathOnly).open(rest, flags, mode: mode)
        }
        return FileDescriptor(
            owning: try retryingInterrupts("open", path: pathOf(relative)) {
                unsafe bytes.withCString {
                    unsafe clinux_open_beneath(
                        descriptor.rawValue, $0, flags, mode, entersMounts ? 1 : 0)
                }
            })
    }

    /// `O_PATH` of open(2), which Swift's Glibc module lacks.
    private static let pathOnly: CInt = 0o10_000_000

    /// Opens the directory at `relative`, which must exist; it enters the same mounts.
    func openDirectory(
        _ relative: some PathBytes, _ flags: CInt = O_RDONLY
    ) throws(SystemError) -> Directory {
        let bytes = relative.pathBytes
        return Directory(
            try open(bytes, flags | O_DIRECTORY), path: pathOf(bytes), mountRule(at: bytes))
    }

    /// Opens the directory `name`; returns `nil` if it does not exist, see ``ifExists(_:)``.
    package func folder(_ name: some PathBytes) throws(SystemError) -> Directory? {
        try ifExists(openDirectory(name))
    }

    /// Whether mounts directly in this directory are entered.
    var entersMounts: Bool {
        if case .entersNone = mountRule { false } else { true }
    }

    /// The rule for the directory at `relative`.
    private func mountRule(at relative: [UInt8]) -> MountRule {
        guard case .entersNoneIn(let folder) = mountRule, relative != [UInt8(ascii: ".")] else {
            return mountRule
        }
        let isInFolder = relative == folder || Self.path(relative, in: folder) != nil
        return isInFolder ? .entersNone : .entersAll
    }

    /// `relative` without `folder` at its beginning; `nil` if it does not lead into that folder.
    private static func path(_ relative: [UInt8], in folder: [UInt8]) -> [UInt8]? {
        guard relative.starts(with: folder),
            relative.dropFirst(folder.count).first == UInt8(ascii: "/")
        else { return nil }
        return Array(relative.dropFirst(folder.count + 1))
    }

    // MARK: Creating directories

    /// Opens the directory at `relative`; creates it and its parents if they do not exist.
    ///
    /// The names of new directories are flushed before this returns.
    package func makeDirectory(
        _ relative: some PathBytes, mode: UInt32 = 0o755
    ) throws(SystemError) -> Directory {
        try makeDirectory(relative) { path, _ throws(SystemError) in
            try createDirectory(path, mode: mode)
        }
    }

    /// Opens the directory at `relative`; calls `create` for it and for each of its parents that does not exist.
    ///
    /// `create` gets the path beneath this directory, and the parent. It may fail with `EEXIST`.
    func makeDirectory(
        _ relative: some PathBytes,
        create: (_ path: [UInt8], _ parent: Directory) throws(SystemError) -> Directory
    ) throws(SystemError) -> Directory {
        if let folder = try folder(relative) { return folder }
        var parent = self
        let bytes = relative.pathBytes
        if let slash = bytes.lastIndex(of: UInt8(ascii: "/")) {
            parent = try makeDirectory(Array(bytes[..<slash]), create: create)
        }
        do {
            return try create(bytes, parent)
        } catch  where error.code == EEXIST {
            // Another process has just created the name, and may not have flushed it yet.
            try parent.flush()
            return try openDirectory(relative)
        }
    }
}
