internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Repairs links in `favorites/`, and creates the folder again with the links of all favorites where it is missing.
extension Favorites {
    /// Replaces links that are certainly broken or temporary, see ``LinkTargets/path(repairing:)``; errors become notices.
    func repairLinks(_ references: [FavoriteReference]) {
        for reference in references where reference.item.kind == .symbolicLink {
            do {
                guard let path = try targets.path(repairing: reference),
                    try links.replace(reference.item, withLinkTo: path)
                else { continue }
                outcome.notices.append(
                    "repaired favorites/\(reference.name.text): leads to \(path)")
            } catch {
                outcome.notices.append(
                    "\(error): favorites/\(reference.name.text) is not repaired")
            }
        }
    }

    // MARK: The folder

    /// Creates `favorites/` with the permissions of `former`, the last folder, or those that the umask leaves.
    ///
    /// The folder gets its name once it has all links. A favorite that gets no link stays one: the scan that follows holds
    /// what another directory than the last one lacks.
    func recreateFolder(like former: ScannedDirectory?) throws(SystemError) {
        let newPath = FavoriteStore.newFolder
        // The directory around it is the mirror's own.
        _ = try tree.root.makeDirectory(FavoriteStore.folder)
        let folder = try tree.root.makeDirectory(newPath, mode: 0o777)
        let permissions = former?.permissions
        // A process that may not set the permissions leaves the folder as it is, and advises the user below.
        let hasPermissions = try? permissions.map { try folder.apply($0) }
        let failures = try createLinks(below: newPath)
        // The flush of a link includes the permissions, but there may be no link.
        try folder.flush()
        try tree.root.renameDurably(newPath, to: tree.root, as: Layout.favorites)
        if !book.favorites.isEmpty {
            let exception = failures.first.map { ", except \(failures.count): \($0)" } ?? ""
            outcome.notices.append(
                "favorites/ was missing: the folder and its links were created again\(exception)")
        }
        if let permissions, hasPermissions != true {
            let path = "\(tree.root.path)/\(Layout.favorites)"
            outcome.notices.append(Self.advice(forFolder: path, lacking: permissions))
        }
    }

    /// The sentence about a folder that was created again at `path` without `permissions`.
    static func advice(forFolder path: String, lacking permissions: DirectoryPermissions) -> String
    {
        let group = Account.name(ofGroup: permissions.group)
        let (mode, path) = (String(permissions.mode, radix: 8), path.shellWord)
        return "favorites/ was created again, but the group \(group) may not write to it yet: run"
            + " “chgrp \(group) \(path) && chmod \(mode) \(path)” as root"
    }

    /// Creates the links of all favorites in the folder `top` of the mirror.
    ///
    /// Present favorites come first, because two favorites may have had the same name.
    ///
    /// - Returns: Why some could not be created.
    /// - Throws: An error with which all others would fail, too.
    private func createLinks(below top: String) throws(SystemError) -> [SystemError] {
        let favorites = book.favorites.values
            .sorted { ($0.isMissing ? 1 : 0, $0.day) < ($1.isMissing ? 1 : 0, $1.day) }
        var failures: [SystemError] = []
        for favorite in favorites where !favorite.names.isEmpty {
            // A record that cannot be read must not stop the others: the link is repaired later.
            let path =
                (try? targets.path(of: favorite.day)) ?? LinkTargets.placeholder(favorite.day)
            for name in favorite.names {
                do {
                    try links.make(name, to: path, below: top)
                } catch  where !error.concernsAllFiles {
                    failures.append(error)
                }
            }
        }
        return failures
    }
}

extension SystemError {
    /// Whether every other file would fail, too: because of the disk or the process.
    fileprivate var concernsAllFiles: Bool {
        cause == .shortage || isReadOnly || isCancelled || code == EIO
    }
}
