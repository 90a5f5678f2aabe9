internal import Glibc
internal import Mirror
internal import Platform

/// The errors that tell the user what to do if a link in `favorites/` could not be created or deleted.
extension FavoriteCommands {
    /// The error that says why the link `name` could not be created, after the system's `error`.
    func creationError(after error: SystemError, for name: FavoriteName) -> any Error {
        if error.code == EEXIST {
            let isShortcutTaken = tree.root.isCertainlyMissing(name.path)
            return FavoriteError.nameTaken(isShortcutTaken ? name.ofShortcut : name)
        }
        if error.isNotDirectory { return notADirectoryError(for: name) }
        return error.code == EACCES ? permissionError(after: error, for: name) : error
    }

    /// The error for a link in a path in which something is no folder: one of the folders of `name`, or else `favorites/`.
    private func notADirectoryError(for name: FavoriteName) -> FavoriteError {
        for folder in name.folders {
            guard let status = try? tree.root.status(folder.path) else { continue }
            if status.kind != .directory { return .nameTaken(folder) }
        }
        return .notADirectory
    }

    /// The error that says how this user can get the permission to create or delete the link `name`.
    func permissionError(after error: SystemError, for name: FavoriteName) -> FavoriteError {
        let folder = innermostFolder(of: name)
        return .refused(
            "\(error): this user may not write to \(String(decoding: folder, as: UTF8.self))/;"
                + " \(permissionAdvice(forFolder: folder))")
    }

    /// The path of the innermost existing folder of `name`, which is the one that this user may not write to.
    private func innermostFolder(of name: FavoriteName) -> [UInt8] {
        name.folders.map(\.path).last { !tree.root.isCertainlyMissing($0) }
            ?? Array(Layout.favorites.utf8)
    }

    /// Throws if `favorites/` cannot be read, so that all links would seem to be missing.
    func requireReadableFolder(of survey: Survey) throws {
        if let error = folderError(of: survey) { throw error }
    }

    /// Why `favorites/` cannot be read, and how this user can get the permission; `nil` if it can.
    func folderError(of survey: Survey) -> (any Error)? {
        guard let error = survey.folderError as? SystemError, error.cause == .denied else {
            return survey.folderError
        }
        let advice = permissionAdvice(forFolder: Array(Layout.favorites.utf8))
        return FavoriteError.refused("\(error); \(advice)")
    }

    /// How this user can get the permission to read and write the folder at `path`.
    ///
    /// A folder of root, such as one that root restored, goes back to the owner of the mirror. A folder of another person stays
    /// theirs.
    private func permissionAdvice(forFolder path: [UInt8]) -> String {
        let user = Account.effectiveUserID
        let status = try? tree.root.status(path)
        let folderOwner = status?.owner
        let mirrorOwner = (try? tree.root.status(Layout.own))?.owner
        if folderOwner == user {
            let folder = "\(tree.root.path)/\(String(decoding: path, as: UTF8.self))"
            return "run “chmod u+rwx \(folder.shellWord)”"
        }
        if folderOwner == 0, let mirrorOwner, mirrorOwner == user {
            return tree.permissionRemedy(givingTo: mirrorOwner)
        }
        // Who may not read the folder sees its group and mode, but not its access control lists.
        let permissions =
            (try? tree.root.folder(path)?.permissions())
            ?? status.map {
                DirectoryPermissions(
                    group: $0.group, mode: $0.mode, accessList: [], defaultList: [])
            }
        if let permissions, permissions.groupMayWrite {
            return groupAdvice(for: permissions.group)
        }
        if folderOwner == 0, let mirrorOwner, mirrorOwner != 0 {
            return "\(tree.permissionRemedy(givingTo: mirrorOwner)), and then run the command as"
                + " \(Account.name(ofUser: mirrorOwner))"
        }
        return "run the command as the owner of that folder"
    }

    private func groupAdvice(for id: UInt32) -> String {
        var group = Account.name(ofGroup: id)
        // No person joins the group of the service. If an owner ran chown(1) on the whole mirror, the folder has this group
        // only until the next start of the unit, which gives it back to the group for people.
        if group == "apod-mirror" { group = "apod-favorites" }
        return Self.advice(for: Account.membership(ofGroup: group), of: group)
    }

    /// What a user can do who may not write to a folder of `group`.
    static func advice(for membership: Account.Membership, of group: String) -> String {
        switch membership {
        case .none:
            "join the group \(group) (“sudo usermod -aG \(group) USER”) and log in again"
        case .afterLogin:
            "you are a member of the group \(group) from your next login on: log in again, or run “newgrp \(group)” first"
        case .ofProcess:
            "give the folder to your group: “sudo systemctl restart apod-mirror”, or run chgrp(1) as its owner"
        }
    }
}
