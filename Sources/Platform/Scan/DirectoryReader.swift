internal import CLinux
internal import Glibc

/// Reads a directory entry by entry: the name and kind of each, its status, and the text of a link; see readdir(3).
///
/// No link is followed, in the path or as an entry. ``advance()`` reads the next entry, which the properties then describe.
@safe struct DirectoryReader: ~Copyable {
    private let stream: OpaquePointer
    /// Whether the status of a mount may be read, although a network disk may never answer.
    private let entersMounts: Bool
    /// The current entry, in the buffer of readdir(3); `nil` before the first and after the last one.
    private var entry: UnsafeMutablePointer<dirent>?
    /// The path by which errors name the directory.
    private let path: String

    /// Opens the directory at `relative` beneath `root`; an empty path means `root` itself.
    init(opening relative: [UInt8] = [], beneath root: Directory) throws(SystemError) {
        let path = relative.isEmpty ? root.path : root.pathOf(relative)
        // Without permission to search the directory, no status and no link in it could be read. The dot at the end makes
        // opening the directory fail then.
        let name = relative.isEmpty ? [UInt8(ascii: ".")] : relative + Array("/.".utf8)
        let descriptor: FileDescriptor
        do throws(SystemError) {
            descriptor = try root.open(name, O_RDONLY | O_DIRECTORY)
        } catch {
            throw SystemError(error.call, path: path, code: error.code)
        }
        guard let stream = unsafe fdopendir(descriptor.rawValue) else {
            throw SystemError("opendir", path: path, code: errno)
        }
        // The stream owns the descriptor now.
        _ = descriptor.release()
        unsafe self.stream = unsafe stream
        entersMounts = root.entersMounts
        unsafe entry = nil
        self.path = path
    }

    deinit { unsafe closedir(stream) }

    /// The descriptor of the directory, which stays open as long as this value exists.
    var descriptor: CInt { unsafe dirfd(stream) }

    func identity() throws(SystemError) -> FileIdentity {
        var status = stat()
        try retryingInterrupts("fstat", path: path) { unsafe fstat(descriptor, &status) }
        return FileStatus(status).identity
    }

    /// Reads the next entry, and skips `.` and `..`; returns false after the last one.
    mutating func advance() throws(SystemError) -> Bool {
        repeat {
            errno = 0
            unsafe entry = readdir(stream)
            guard unsafe entry != nil else {
                guard errno == 0 else { throw SystemError("readdir", path: path, code: errno) }
                return false
            }
        } while isSelfOrParent
        return true
    }

    private var isSelfOrParent: Bool {
        let name = unsafe nameInBuffer
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        return unsafe name[0] == dot && (name[1] == 0 || (name[1] == dot && name[2] == 0))
    }

    /// The current entry, valid until the next call of ``advance()``.
    private var current: UnsafeMutablePointer<dirent> {
        guard let entry = unsafe entry else {
            preconditionFailure("no entry: call advance() first")
        }
        return unsafe entry
    }

    private var nameInBuffer: UnsafePointer<CChar> {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
            preconditionFailure("d_name is a stored property")
        }
        return unsafe UnsafeRawPointer(current).advanced(by: offset)
            .assumingMemoryBound(to: CChar.self)
    }

    var inode: UInt { unsafe current.pointee.d_ino }

    /// The kind of the entry; `nil` if only ``status()`` shows it, as on some file systems and for a fifo, socket or device.
    var kind: FileStatus.Kind? {
        switch unsafe Int(current.pointee.d_type) {
        case DT_LNK: .symbolicLink
        case DT_DIR: .directory
        case DT_REG: .file
        default: nil
        }
    }

    var name: [UInt8] {
        let name = unsafe nameInBuffer
        return unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// The status of the entry; if that is a link, the status of the link itself.
    ///
    /// Fails with `EXDEV` for a mount that is not entered.
    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        try retryingInterrupts("stat", path: entryPath) {
            unsafe clinux_status(descriptor, nameInBuffer, &status, entersMounts ? 1 : 0)
        }
        return FileStatus(status)
    }

    /// The path by which errors name the entry.
    private var entryPath: String { "\(path)/\(String(decoding: name, as: UTF8.self))" }

    /// The text of the entry, which must be a symbolic link; see readlink(2).
    ///
    /// It is empty if it is longer than any path, which some file systems allow.
    func target() throws(SystemError) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try retryingInterrupts("readlink", path: entryPath) {
            unsafe readlinkat(descriptor, nameInBuffer, &buffer, buffer.count)
        }
        return count < buffer.count ? buffer[..<count].map { UInt8(bitPattern: $0) } : []
    }
}
