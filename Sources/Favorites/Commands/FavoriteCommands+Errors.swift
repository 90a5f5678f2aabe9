internal import Glibc
internal import Mirror
internal import Platform

/// The errors that tell the user what to do if a link in `favorites/` could not be created or deleted.
extension FavoriteCommands {
    /// The error that says why the link `name` could not be created, after the system's `error`.
    func creationError(after error: SystemError, for name: FavoriteName) -> any Error {
        if error.code == EEXIST { return FavoriteError.nameTaken(name) }
        if error.isNotDirectory { return notADirectoryError(for: name) }
        // EPERM is left to the check below, because it may mean that the file system has no links.
        if error.code == EACCES { return permissionError(after: error, for: name) }
        guard let folder = try? tree.root.folder(name.folderPath),
            (try? folder.requireNoSymlinks(after: error)) != nil
        else { return error }
        return FavoriteError.refused(
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
        // The permission is missing in the innermost folder that exists.
        let path =
            name.folders.map(\.path).last { !tree.root.isCertainlyMissing($0) }
            ?? Array(Layout.favorites.utf8)
        let folder = String(decoding: path, as: UTF8.self)
        return .refused(
            "\(error): this user may not write to \(folder)/; \(permissionAdvice(forFolder: path))")
    }

    private func permissionAdvice(forFolder path: [UInt8]) -> String {
        guard let permissions = try? tree.root.folder(path)?.permissions(),
            permissions.groupMayWrite
        else { return "run the command as the owner of that folder" }
        let folderGroup = Account.name(ofGroup: permissions.group)
        // If an owner ran chown(1) on the whole mirror, the unit gives favorites/ back to this group at its next start.
        let group = folderGroup == "apod-mirror" ? "apod-favorites" : folderGroup
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
