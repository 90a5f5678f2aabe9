import CommandLine
import Mirror
import Platform

/// The owner of a mirror, as whom a command of root acts: the owner could neither change nor remove files of root.
struct MirrorOwner {
    private let user: UInt32
    private let group: UInt32

    private var name: String { Account.name(ofUser: user) }

    /// The owner of `.apod-mirror/`, or of the directory around it, which may be a mount point; not root, if one is not.
    ///
    /// - Returns: `nil` if the owners cannot be read.
    private static func of(_ directory: Directory) -> Self? {
        let folders = [try? directory.folder(Layout.own), directory]
        let owners = folders.compactMap { folder -> Self? in
            guard let folder, let user = try? folder.status().owner,
                let group = try? folder.permissions().group
            else { return nil }
            return Self(user: user, group: group)
        }
        return owners.first { $0.user != 0 } ?? owners.first
    }

    /// Makes a process of root act as the owner of the mirror at `root`, and changes the variables with it.
    ///
    /// - Returns: The directory of the mirror, opened before; `nil` if the process stays what it is.
    /// - Throws: ``CommandError`` if the process cannot act as the owner, with the code of a mirror that is not writable.
    static func become(
        at root: String, _ environment: inout [String: String]
    ) throws(CommandError) -> Directory? {
        // The command reports what cannot be opened.
        guard Account.effectiveUserID == 0, let directory = try? Tree.open(root),
            let owner = of(directory), owner.user != 0
        else { return nil }
        let name = owner.name
        do {
            try Account.dropPrivileges(
                to: owner.user, fallbackGroup: owner.group, environment: &environment)
        } catch {
            throw CommandError(
                "cannot become \(name), the owner of \(root): \(error.reason);"
                    + " run the command as \(name)", .noMirror)
        }
        return directory
    }

    /// Checks that a command which root started acts as the owner of the mirror at `root`.
    ///
    /// - Throws: ``CommandError`` if it acts as another user.
    static func check(at root: String) throws(CommandError) {
        guard let directory = try? Tree.open(root), let owner = of(directory),
            owner.user != Account.effectiveUserID
        else { return }
        throw CommandError(
            "the mirror in \(root) belongs to \(owner.name), and this command acts as"
                + " \(Account.name(ofUser: Account.effectiveUserID)): nothing was added there; run the command for"
                + " it alone", .noMirror)
    }
}
