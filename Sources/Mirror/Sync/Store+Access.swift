internal import APOD
package import FoundationEssentials
internal import Glibc
package import Platform

/// Checks before any download that this user may write where a sync publishes days, so that no picture comes in vain.
///
/// Store+AccessInDoctor has the checks of the whole mirror, which only `doctor` makes. A lack of rights becomes an ``Obstacle``
/// with the command that corrects it. Any other error is thrown as it is, because it does not say that a right is missing.
extension Store {
    /// The directories of pictures and of records, which have a directory for each month.
    private static let foldersWithMonths = [Layout.pictures, Layout.metadata]

    /// Checks that this user may write where today's picture and record are published, and tries a rename to there.
    ///
    /// Only `doctor` calls it, because a rename writes, and because the publication of a day meets the same error.
    ///
    /// - Throws: ``Obstacle`` if this user may not; ``SystemError`` if that cannot be found out.
    package func checkCanPublish(at now: Date) throws {
        try checkIsWritable(Layout.incoming)
        guard let today = Day(utcDateOf: now) else { return }
        try checkCanPublish(inMonthOf: today)
        for top in Self.foldersWithMonths { try tryRename(into: Layout.folder(top, of: today)) }
    }

    /// Checks that this user may write where some days are published, if not today's.
    ///
    /// If only the directories of today's month cannot be written, the days of other months can be published nevertheless.
    ///
    /// - Throws: As ``checkCanPublish(at:)``.
    func checkCanPublishSomeDay(at now: Date) throws {
        try checkIsWritable(Layout.incoming)
        guard let today = Day(utcDateOf: now) else { return }
        do {
            try checkMonthIsWritable(of: today)
        } catch {
            // This error is reported if today's day is due: see `publishingProblem`.
            for top in Self.foldersWithMonths { try checkIsWritable(top) }
        }
    }

    /// Checks that the record of `day` can be published, before a file is replaced or deleted that it describes.
    func checkCanPublishRecord(of day: Day) throws(SystemError) {
        try checkFolder(Layout.folder(Layout.metadata, of: day))
    }

    /// Why the files of `day` cannot be published, whatever NASA sends; `nil` if nothing prevents that.
    func publishingProblem(of day: Day) -> DayProblem? {
        do {
            try checkCanPublish(inMonthOf: day)
            return nil
        } catch {
            let obstacle = error as? Obstacle ?? Obstacle(error)
            return DayProblem(.localError, obstacle.text, .obstacle(obstacle))
        }
    }

    private func checkCanPublish(inMonthOf day: Day) throws {
        try checkMonthIsWritable(of: day)
        for top in Self.foldersWithMonths { try checkIsReachable(Layout.folder(top, of: day)) }
    }

    /// Checks that this user may write in the directories of the month of `day`.
    ///
    /// It opens no directory, because every poll calls it.
    private func checkMonthIsWritable(of day: Day) throws {
        for top in Self.foldersWithMonths { try checkIsWritable(Layout.folder(top, of: day)) }
    }

    /// Checks that files in `incoming/` can be renamed into the directory at `path`: no existing part of it is a mount.
    private func checkIsReachable(_ path: String) throws(SystemError) {
        guard let incoming = try tree.root.folder(Layout.incoming) else { return }
        // From the directory upwards, to the root of the mirror.
        var path = path
        while path != "." {
            let (above, name) = Layout.split(path)
            let folder = try ifPresent(tree.root.folder(above))
            if let folder, try !folder.isReachable(name, byRenamesFrom: incoming) {
                throw SystemError("rename", path: "\(tree.root.path)/\(path)", code: EXDEV)
            }
            path = above
        }
    }

    /// Checks that files in `incoming/` can be renamed into the directory at `path`, or if it is missing, into the one in which it
    /// will be made.
    ///
    /// - Throws: ``SystemError`` with `EXDEV` if not, as between two branches of mergerfs, which look like one file system.
    private func tryRename(into path: String) throws(SystemError) {
        guard let incoming = try tree.root.folder(Layout.incoming) else { return }
        guard let folder = try tree.root.folder(path) else {
            return try tryRename(into: Layout.split(path).folder)
        }
        do throws(SystemError) {
            try incoming.tryRename(to: folder, prefix: Layout.doctorPrefix)
        } catch  where error.code != EXDEV {
            // Other checks of `doctor` find the cause of any other error.
        }
    }

    /// Checks that this user may write in the directory at `path`, or if it is missing, in the one in which it will be made.
    private func checkFolder(_ path: String) throws(SystemError) {
        do {
            try tree.root.checkWritable(path)
        } catch  where error.cause == .absent && path != "." {
            try checkFolder(Layout.split(path).folder)
        }
    }

    /// Checks the same as ``checkFolder(_:)``; if this user lacks a right, throws an ``Obstacle`` with the remedy.
    func checkIsWritable(_ path: String) throws {
        do throws(SystemError) {
            try checkFolder(path)
        } catch {
            // On a disk that is mounted read-only, no change of rights helps.
            guard error.cause == .denied, !error.isReadOnly else { throw error }
            throw Obstacle(
                .rights,
                "\(Account.effectiveName) may not write in \(error.path); \(tree.permissionRemedy)")
        }
    }
}

extension Tree {
    /// What a user can do about `error`, which this process met in the mirror; `nil` if nothing is known.
    package func remedy(for error: SystemError) -> String? {
        error.cause == .denied && !error.isReadOnly && !error.isOfUnreadableLink
            ? permissionRemedy : error.remedy
    }

    /// `error` with its ``remedy(for:)``, if there is one.
    func advice(about error: SystemError) -> String {
        remedy(for: error).map { "\(error); \($0)" } ?? "\(error)"
    }

    /// What root can do so that this user, who is to own the mirror, may read and write all of it.
    var permissionRemedy: String { permissionRemedy(givingTo: Account.effectiveUserID) }

    /// What root can do so that the user with `id`, who is to own the mirror, may read and write all of it.
    package func permissionRemedy(givingTo id: UInt32) -> String {
        // Without a group, so that favorites/ stays in the group whose members may add favorites.
        let owner = Account.knownName(ofUser: id) ?? "\(id)"
        let path = root.path.shellWord
        return "as root, run “chown -R \(owner) \(path) && chmod -R u+rwX \(path)”"
    }
}
