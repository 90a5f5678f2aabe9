import CommandLine
import Mirror
import Platform
import Service

/// Which user may write a mirror: root could, but leaves the mirror of another user to that user.
extension Arguments {
    /// Checks that root writes to no mirror of another user, who could neither change nor remove the files of root.
    ///
    /// - Throws: ``CommandError`` that has the command line for the owner.
    func checkOwner(of root: String) throws(CommandError) {
        guard Account.effectiveUserID == 0, let owner = Self.owner(of: root),
            let line = commandLineOfOwner(of: root)
        else { return }
        throw CommandError(
            "the mirror in \(root) belongs to \(Account.name(ofUser: owner)), who could not change files of root;"
                + " run “\(line)”", .noMirror)
    }

    /// The command line of this process with the mirror at `root`, for its owner; `nil` if that is this user.
    func commandLineOfOwner(of root: String) -> String? {
        guard let owner = Self.owner(of: root), owner != Account.effectiveUserID else { return nil }
        let name = Account.name(ofUser: owner)
        // A user of a container may have no account here, see sudo(8).
        let user = name == "user \(owner)" ? "'#\(owner)'" : name
        var words = Array(processArguments().dropFirst())
        // The owner may have another mirror.
        if !isTyped(Settings.directory.option) {
            words.insert(contentsOf: ["--root", root], at: 1)
        }
        return "sudo -u \(user) \(Self.commandLine(words))"
    }

    static func commandLine(_ words: [String]) -> String {
        (["apod-mirror"] + words.map(\.shellWord)).joined(separator: " ")
    }

    /// The owner of `.apod-mirror/`, or of the directory in which it is to be made.
    ///
    /// - Returns: `nil` if there is no directory, or its owner cannot be read.
    private static func owner(of root: String) -> UInt32? {
        guard let directory = try? Tree.open(root) else { return nil }
        // The directory around may be a mount point of root.
        let folder = (try? directory.folder(Layout.own)) ?? directory
        return try? folder.status().owner
    }
}
