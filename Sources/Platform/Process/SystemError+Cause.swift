internal import Glibc

extension SystemError {
    /// What a failed call says about its file, by which callers decide what to do with the file.
    package enum Cause: Hashable, Sendable {
        /// There is no such file. This is the only cause for which a file counts as gone, or is created.
        case absent
        /// There is something that this program did not make: a directory, a link, a fifo, a socket or a device in place of a
        /// file, or a file that is too long.
        case invalid
        /// This process lacks permission, or the file system is mounted read-only.
        case denied
        /// The machine lacks space, inodes, memory or descriptors.
        case shortage
        /// Nothing is known about the file, because the disk or its server failed, for a while or for good.
        ///
        /// Every error without another cause is transient. Nothing is created, overwritten, moved or deleted because of it.
        case transient
    }

    package var cause: Cause {
        switch code {
        case ENOENT, ENOTDIR: .absent
        case EISDIR, ELOOP, ENXIO: .invalid
        // Readers of this program throw it for a file above their limit. From write(2), it says nothing about the file.
        case EFBIG where call == "read": .invalid
        case EACCES, EPERM, EROFS: .denied
        case ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE: .shortage
        default: .transient
        }
    }

    /// Whether the error says nothing about the file: the same call may succeed later, although nobody changes the file.
    package var mayBeTemporary: Bool { cause == .transient || cause == .shortage }
}

/// The value that `body` returns; `nil` if its file is absent.
///
/// - Throws: Every other ``SystemError``, because a file that cannot be read may be there.
package func ifPresent<Value: ~Copyable>(
    _ body: @autoclosure () throws(SystemError) -> Value?
) throws(SystemError) -> Value? {
    do {
        return try body()
    } catch  where error.cause == .absent {
        return nil
    }
}

/// The value that `body` returns; `nil` if its file is absent or invalid, so that there is no file of this program.
///
/// - Throws: Every other ``SystemError``, because it says nothing about the file.
package func ifValid<Value: ~Copyable>(
    _ body: @autoclosure () throws(SystemError) -> Value?
) throws(SystemError) -> Value? {
    do {
        return try body()
    } catch  where error.cause == .absent || error.cause == .invalid {
        return nil
    }
}

/// The value that `body` returns; `nil` if it fails with `ENOENT`, because nothing has the name.
///
/// It compares the number, because `ENOTDIR` has the same cause, but is thrown: if a file is in place of a directory, callers
/// report that.
func nilForENOENT<Value: ~Copyable>(
    _ body: @autoclosure () throws(SystemError) -> Value
) throws(SystemError) -> Value? {
    do {
        return try body()
    } catch  where error.code == ENOENT {
        return nil
    }
}
