internal import Glibc
internal import Mirror
internal import Platform

/// The errors that tell the user what to do if a link in `favorites/` could not be created or deleted.
extension FavoriteCommands {
    /// The error that says why the link `name` could not be created, after the system's `error`.
    func creationError(after error: SystemError, for name: FavoriteName) -> any Error {
        if error.code == EEXIST { return FavoriteError.nameTaken(name) }
        if error.isNotDirectory { return notADirectoryError(for: name) }
        if error.code == EACCES { return permissionError(after: error, for: name) }
        // EPERM may mean that the disk has no links. A file is made to find that out, so that this comes last.
        return missingLinksError(after: error, for: name) ?? error
    }

    /// The error that says that the disk has no symbolic links; `nil` if `error` has another reason.
    private func missingLinksError(
        after error: SystemError, for name: FavoriteName
    ) -> FavoriteError? {
        guard let folder = try? tree.root.folder(name.folderPath) else { return nil }
        // `requireNoSymlinks` throws an error if the disk has links, or if that is not known.
        do { try folder.requireNoSymlinks(after: error) } catch { return nil }
        return .refused(
            "favorites/ is on \(Mount(of: folder)?.type ?? "a file system"), which has no symbolic links; copy the"
                + " picture into favorites/, or put a text file with the address of its page there")
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

    private func permissionAdvice(forFolder path: [UInt8]) -> String {
        guard let permissions = try? tree.root.folder(path)?.permissions(),
            permissions.groupMayWrite
        else { return "run the command as the owner of that folder" }
        var group = Account.name(ofGroup: permissions.group)
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
