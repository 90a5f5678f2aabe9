internal import Glibc

extension SystemError {
    /// What a failed call says about its file; only ``SystemError/cause`` decides that.
    package enum Cause: Hashable, Sendable {
        /// There is no such file. Only for this cause, something may be created, or may count as gone.
        case absent
        /// There is another kind of file than this program makes: a directory, a link, which is not followed, a fifo, a socket, a
        /// device, or a file that is too long.
        case invalid
        /// This process lacks permission, or the file system is read-only.
        case denied
        /// The machine lacks space, inodes, memory or descriptors.
        case shortage
        /// Nothing is known about the file, because the disk or its server failed, for a while or for good.
        ///
        /// Every error that has no other cause counts as transient. Nothing is created, overwritten, moved or deleted because of
        /// it.
        case transient
    }

    package var cause: Cause {
        switch code {
        case ENOENT, ENOTDIR: .absent
        case EISDIR, ELOOP, ENXIO: .invalid
        case EFBIG where call == "read": .invalid
        case EACCES, EPERM, EROFS: .denied
        case ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE: .shortage
        default: .transient
        }
    }
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

/// The value that `body` returns; `nil` if its file is absent or invalid, so that this program did not write it.
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

/// The value that `body` returns; `nil` if its name does not exist.
///
/// Unlike ``ifPresent(_:)``, it throws `ENOTDIR`, because a walk reports a file in place of a directory.
func ifExists<Value: ~Copyable>(
    _ body: @autoclosure () throws(SystemError) -> Value
) throws(SystemError) -> Value? {
    do {
        return try body()
    } catch  where error.code == ENOENT {
        return nil
    }
}
