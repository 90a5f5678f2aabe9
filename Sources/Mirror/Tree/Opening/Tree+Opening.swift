internal import Glibc
package import Platform

/// The ways to open a mirror: for reading, as a preview, or for writing, which may have to wait for another process.
///
/// Paths are absolute, without links or dots. `known` lists the mirrors that were opened before: if the directory of one is
/// empty or missing, its disk is probably not mounted, and no new mirror is made there. ``TreeOpening`` decides that.
extension Tree {
    /// Opens the mirror at `path` for reading.
    package static func reading(_ path: String, known: KnownMirrors) throws(TreeError) -> Tree {
        try TreeOpening(path: path, known: known).forReading()
    }

    /// Opens the mirror at `path` for reading, for a command with `--dry-run`; `nil` if the real run would create a mirror.
    package static func previewing(_ path: String, known: KnownMirrors) throws(TreeError) -> Tree? {
        try TreeOpening(path: path, known: known).forPreview()
    }

    /// Opens the mirror at `path` for writing; creates the mirror if the directory is empty or missing.
    ///
    /// - Returns: The locked tree; leftovers of earlier processes are removed.
    /// - Throws: ``TreeError``; then no file of a person has been changed.
    package static func writing(
        _ path: String, known: KnownMirrors, as role: FileLock.Role = .command
    ) throws(TreeError) -> Tree {
        try TreeOpening(path: path, known: known).forWriting(as: role)
    }

    /// Opens the directory at `path`, without asking whether it is a mirror.
    ///
    /// - Throws: ``TreeError``: ``TreeError/notAMirror(_:)`` if there is nothing at `path`.
    package static func open(_ path: String) throws(TreeError) -> Directory {
        do {
            return try Directory(
                opening: path, enteringNoMountsIn: Layout.favorites, requiring: Layout.own)
        } catch  where error.code == ENOTDIR {
            throw .notADirectory(path)
        } catch  where error.code == ENOENT {
            throw .notAMirror(path)
        } catch {
            throw .system(error)
        }
    }

    // MARK: Waiting for the lock

    /// Waits until no other process writes the mirror at `path`, then opens it like ``writing(_:known:as:)``.
    ///
    /// ``mayWait(_:for:isOverdue:)`` limits the wait. `willWait` is called once, before the wait.
    ///
    /// - Throws: ``TreeError``, or `CancellationError`.
    package static func waitingToWrite(
        _ path: String, known: KnownMirrors, as role: FileLock.Role,
        willWait: (FileLock.Holder?) -> Void
    ) async throws -> Tree {
        let deadline = ContinuousClock.now + WaitLimit.mirrorLock
        var isWaiting = false
        while true {
            do throws(TreeError) {
                return try writing(path, known: known, as: role)
            } catch {
                guard case .locked(_, let holder) = error,
                    mayWait(role, for: holder?.role, isOverdue: .now >= deadline)
                else { throw error }
                if !isWaiting { willWait(holder) }
                isWaiting = true
            }
            // flock(2) can only be tried, or waited for without an end.
            try await LoopClock().sleep(for: RetryDelay.betweenLockAttempts)
        }
    }

    /// Whether a process with `role` may go on waiting for a lock whose holder has the role `holder`; `nil` if unknown.
    ///
    /// A daemon waits for a command without a limit: the command ends by itself, if a repair only after hours. A command does
    /// not wait for a daemon, which ends only when somebody stops it. All other waits end when `isOverdue` says that they
    /// have taken half a minute.
    package static func mayWait(
        _ role: FileLock.Role, for holder: FileLock.Role?, isOverdue: Bool
    ) -> Bool {
        switch (role, holder) {
        case (.daemon, .command): true
        case (.daemon, .daemon), (.daemon, nil), (.command, .command), (.command, nil): !isOverdue
        case (.command, .daemon): false
        }
    }
}
