internal import CLinux
internal import Glibc

/// An open directory, through which this program reads and changes everything beneath it.
///
/// All paths are relative to the directory, and cannot lead out of it: a symbolic link in a path is not followed, and the call
/// fails with `ELOOP`, see openat2(2). A path has one slash between two names, and contains neither `.` nor `..`; the path `.`
/// is the directory itself.
///
/// This file opens paths. Extensions in other files read files and names, change names, and examine the file system.
package final class Directory: Sendable {
    /// The path by which errors name the directory.
    package let path: String
    /// The descriptor of the directory, which stays open as long as this object exists.
    let descriptor: FileDescriptor
    private let mountRule: MountRule
    /// The name of the directory in this one that only ``makeRequiredDirectory()`` creates; empty if there is none.
    private let required: [UInt8]

    /// Into which mounts beneath the directory a path may lead; a path into another mount fails with `EXDEV`.
    private enum MountRule {
        case entersAll
        case entersNone
        /// A path may lead into all, except those beneath the directory `name` in this one, which may itself be a mount.
        case entersNoneBeneath(name: [UInt8])
    }

    private init(_ descriptor: consuming FileDescriptor, path: String, _ mountRule: MountRule) {
        self.descriptor = descriptor
        self.path = path
        self.mountRule = mountRule
        required = []
    }

    /// Opens the directory at `path`.
    ///
    /// Links in that path are followed, because a user chose it. No mount beneath `folder`, a name in the directory, is
    /// entered, because a network disk that somebody mounted there may not answer. The folder itself may be a mount. Without
    /// `required`, another name in it, ``makeDirectory(_:mode:)`` makes nothing beneath that, and fails with `ENOENT`.
    package init(
        opening path: String, enteringNoMountsIn folder: String? = nil,
        requiring required: String = ""
    ) throws(SystemError) {
        precondition(folder?.utf8.contains(UInt8(ascii: "/")) != true, "a name, not a path")
        descriptor = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
        self.path = path
        mountRule = folder.map { .entersNoneBeneath(name: $0.pathBytes) } ?? .entersAll
        self.required = required.pathBytes
    }

    // MARK: Opening what is beneath

    /// Opens the file at `relative`, as openat2(2) does with these `flags`.
    ///
    /// A new file gets the `mode`, limited by the umask. A path into a mount that is not entered fails with `EXDEV`.
    package func open(
        _ relative: some PathBytes, _ flags: CInt, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileDescriptor {
        let bytes = relative.pathBytes
        guard !bytes.contains(0) else {
            throw SystemError("open", path: pathOf(relative), code: EINVAL)
        }
        if case .entersNoneBeneath(let name) = mountRule,
            let rest = Self.rest(of: bytes, beneath: name)
        {
            return try openDirectory(name, Self.pathOnly).open(rest, flags, mode: mode)
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

    /// Opens the existing directory at `relative`; the same rule for mounts holds beneath it.
    func openDirectory(
        _ relative: some PathBytes, _ flags: CInt = O_RDONLY
    ) throws(SystemError) -> Directory {
        let bytes = relative.pathBytes
        return Directory(
            try open(bytes, flags | O_DIRECTORY), path: pathOf(bytes), mountRule(at: bytes))
    }

    /// Opens the directory `name`; returns `nil` if there is nothing of that name, see ``nilForENOENT(_:)``.
    package func folder(_ name: some PathBytes) throws(SystemError) -> Directory? {
        try nilForENOENT(openDirectory(name))
    }

    /// Whether a path may lead into a mount directly in this directory.
    var entersMounts: Bool {
        if case .entersNone = mountRule { false } else { true }
    }

    /// The rule that holds beneath the directory at `relative`.
    private func mountRule(at relative: [UInt8]) -> MountRule {
        guard case .entersNoneBeneath(let name) = mountRule, relative != [UInt8(ascii: ".")]
        else { return mountRule }
        let isBeneath = relative == name || Self.rest(of: relative, beneath: name) != nil
        return isBeneath ? .entersNone : .entersAll
    }

    /// `b/c` for the path `a/b/c` beneath `a`; `nil` if the path does not begin with `directory` and a slash.
    private static func rest(of path: [UInt8], beneath directory: [UInt8]) -> [UInt8]? {
        let start = directory + [UInt8(ascii: "/")]
        return path.starts(with: start) ? Array(path.dropFirst(start.count)) : nil
    }

    // MARK: Creating directories

    /// Opens the directory at `relative`; creates it and its parents if they do not exist.
    ///
    /// The names of new directories are flushed before this returns.
    package func makeDirectory(
        _ relative: some PathBytes, mode: UInt32 = 0o755
    ) throws(SystemError) -> Directory {
        try makeDirectory(relative) { path, _ throws(SystemError) in
            // mutation test: required-directory (see Tests/Mutants)
            guard path != required else {
                throw SystemError("open", path: pathOf(path), code: ENOENT)
            }
            return try createDirectory(path, mode: mode)
        }
    }

    /// Opens the required directory; creates it if it does not exist.
    package func makeRequiredDirectory() throws(SystemError) -> Directory {
        try makeDirectory(required) { path, _ throws(SystemError) in try createDirectory(path) }
    }

    /// Opens the directory at `relative`; calls `create` for it and for each of its parents, if they do not exist.
    ///
    /// `create` gets the path of the new directory beneath this one, and its parent. It may fail with `EEXIST`.
    func makeDirectory(
        _ relative: some PathBytes,
        create: (_ path: [UInt8], _ parent: Directory) throws(SystemError) -> Directory
    ) throws(SystemError) -> Directory {
        if let existing = try folder(relative) { return existing }
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
