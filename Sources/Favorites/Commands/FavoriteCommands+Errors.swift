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
                + " \(PermissionAdvice(for: folder, in: tree).text)")
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
        guard let error = survey.scan.folderError as? SystemError, error.cause == .denied else {
            return survey.scan.folderError
        }
        let advice = PermissionAdvice(for: Array(Layout.favorites.utf8), in: tree)
        return FavoriteError.refused("\(error); \(advice.text)")
    }
}
