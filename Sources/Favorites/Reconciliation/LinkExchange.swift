internal import Glibc
internal import Platform

/// The exchange of an item in `favorites/` for a new link, which is made under a spare name first.
///
/// After ``run()`` the item has the spare name. If a user puts another item in its place meanwhile, the
/// exchange is undone and that item stays.
struct LinkExchange {
    /// The item as it was scanned.
    let item: ScannedItem
    let folder: Directory
    let spareFolder: Directory
    let spareName: [UInt8]
    /// The text of the new link.
    let target: [UInt8]

    private var name: [UInt8] { item.name.last }

    /// Makes the link and exchanges it for the item.
    ///
    /// - Returns: `false` if another item has the name by now; the link is removed.
    /// - Throws: ``SystemError``; the item of the user has its own name or the spare one.
    func run() throws(SystemError) -> Bool {
        try spareFolder.symlink(spareName, to: target)
        do {
            try spareFolder.exchange(spareName, with: folder, name)
        } catch  where error.code == ENOENT {
            // The user has removed the item.
            try spareFolder.remove(spareName)
            return false
        } catch  where error.code == EINVAL {
            return try runInSteps()
        } catch {
            // Nothing was exchanged: the spare name is that of the new link.
            try spareFolder.remove(spareName)
            throw error
        }
        // mutation test: exchanged-item
        if try item.isUnchanged(as: spareName, in: spareFolder) { return true }
        try undo()
        return false
    }

    /// Replaces the item on a file system without `RENAME_EXCHANGE`, see renameat2(2).
    private func runInSteps() throws(SystemError) -> Bool {
        if item.kind == .symbolicLink {
            try spareFolder.rename(spareName, to: folder, as: name)
            return true
        }
        try spareFolder.remove(spareName)
        try folder.rename(name, to: spareFolder, as: spareName)
        guard try item.isUnchanged(as: spareName, in: spareFolder) else {
            try spareFolder.renameExclusive(spareName, to: folder, as: name)
            return false
        }
        try folder.symlink(name, to: target)
        return true
    }

    /// Moves the item with the spare name, which a user had put in place of the scanned one, back.
    private func undo() throws(SystemError) {
        do {
            try spareFolder.exchange(spareName, with: folder, name)
        } catch  where error.code == ENOENT {
            return try spareFolder.renameExclusive(spareName, to: folder, as: name)
        }
        if spareFolder.target(bytes: spareName) == target {
            return try spareFolder.remove(spareName)
        }
        // The user has replaced the new link, too: the last item stays, and the next scan moves the other one back.
        try spareFolder.exchange(spareName, with: folder, name)
    }
}

extension ScannedItem {
    /// Whether `name` in `folder` is still this item: a link with its text, or a file with its inode.
    func isUnchanged(as name: [UInt8], in folder: Directory) throws(SystemError) -> Bool {
        guard let status = try folder.status(name), status.kind == kind else { return false }
        return kind == .symbolicLink
            ? folder.target(bytes: name) == linkTarget : status.identity == identity
    }
}
