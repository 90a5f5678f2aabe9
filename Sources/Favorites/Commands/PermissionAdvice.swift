internal import Mirror
internal import Platform

/// How this user can get the permission to read and write a folder, `favorites/` or one in it.
///
/// A folder of root, such as one that root restored, goes back to the owner of the mirror. A folder of another person stays
/// theirs.
struct PermissionAdvice {
    private let tree: Tree
    /// The path of the folder, relative to the root of the mirror.
    private let path: [UInt8]
    /// The status of the folder; `nil` if it cannot be read.
    private let status: FileStatus?
    private let mirrorOwner: UInt32?

    init(for path: [UInt8], in tree: Tree) {
        self.tree = tree
        self.path = path
        status = try? tree.root.status(path)
        mirrorOwner = (try? tree.root.status(Layout.own))?.owner
    }

    /// Follows the error in a sentence for the user.
    var text: String {
        let user = Account.effectiveUserID
        if status?.owner == user {
            let folder = "\(tree.root.path)/\(String(decoding: path, as: UTF8.self))"
            return "run “chmod u+rwx \(folder.shellWord)”"
        }
        // The owner who may get the folder of root.
        let heir = status?.owner == 0 ? mirrorOwner : nil
        if let heir, heir == user { return tree.permissionRemedy(givingTo: heir) }
        if let group = groupThatMayWrite { return Self.text(forGroup: group) }
        if let heir, heir != 0 {
            return "\(tree.permissionRemedy(givingTo: heir)), and then run the command as"
                + " \(Account.name(ofUser: heir))"
        }
        return "run the command as the owner of that folder"
    }

    private var groupThatMayWrite: UInt32? {
        // Who may not read the folder sees its group and mode, but not its access control lists.
        let permissions =
            (try? tree.root.folder(path)?.permissions())
            ?? status.map {
                DirectoryPermissions(
                    group: $0.group, mode: $0.mode, accessList: [], defaultList: [])
            }
        guard let permissions, permissions.groupMayWrite else { return nil }
        return permissions.group
    }

    private static func text(forGroup id: UInt32) -> String {
        var group = Account.name(ofGroup: id)
        // No person joins the group of the service. If an owner ran chown(1) on the whole mirror, the folder has this group
        // only until the next start of the unit, which gives it back to the group for people.
        if group == "apod-mirror" { group = "apod-favorites" }
        return text(for: Account.membership(ofGroup: group), of: group)
    }

    /// What a user can do who may not write to a folder of `group`.
    static func text(for membership: Account.Membership, of group: String) -> String {
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
