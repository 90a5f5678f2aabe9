internal import Glibc

extension SystemError {
    /// What a failed call says of the file that it was about: decided here, and nowhere else.
    package enum Cause: Hashable, Sendable {
        /// There is no such file: the only cause by which something may be created, or may count as gone.
        case absent
        /// The file is there, and no file of this program is like it: a directory, a link, which is not followed, a fifo, a
        /// socket or a device, or too long.
        case invalid
        /// This process may not, now: it lacks permission, or the file system is read-only.
        case denied
        /// The machine lacks space, inodes, memory or descriptors.
        case shortage
        /// Nothing is known of the file: the disk or its server failed, for a while or for good.
        ///
        /// Every error that is not listed is one of these. Nothing is created, overwritten, moved or deleted
        /// because of it.
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
/// - Throws: Every other ``SystemError``: a file that cannot be read is not one that is not there.
package func ifPresent<Value: ~Copyable>(
    _ body: @autoclosure () throws(SystemError) -> Value?
) throws(SystemError) -> Value? {
    do {
        return try body()
    } catch  where error.cause == .absent {
        return nil
    }
}

/// The value that `body` returns; `nil` if its file is absent, or what has its place is none of this program's.
///
/// - Throws: Every other ``SystemError``, which says nothing about the file.
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
/// Unlike ``ifPresent(_:)``, it throws `ENOTDIR`: a file in place of a directory is an obstruction, which a walk reports.
func ifExists<Value: ~Copyable>(
    _ body: @autoclosure () throws(SystemError) -> Value
) throws(SystemError) -> Value? {
    do {
        return try body()
    } catch  where error.code == ENOENT {
        return nil
    }
}
