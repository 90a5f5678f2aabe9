import CommandLine
import Mirror
import Platform

/// The user who owns a mirror, and the command line that repeats this command as that user; for ``MirrorAccess``.
///
/// Root must not write to the mirror of another user, who could neither change nor remove the files of root.
struct MirrorOwner {
    /// The path of the mirror.
    let root: String
    /// Whether the user named the mirror by `--root`.
    let isRootTyped: Bool

    /// Checks that this user is not root in the mirror of another user.
    ///
    /// - Throws: ``CommandError``, whose message has the command line that runs this command as the owner.
    func check() throws(CommandError) {
        guard Account.effectiveUserID == 0, let userID, let line = commandLineForOwner else {
            return
        }
        // The exit code is that of a mirror on a read-only disk, because root cannot write this one, either.
        throw CommandError(
            "the mirror in \(root) belongs to \(Account.name(ofUser: userID)), who could not change files of root;"
                + " run “\(line)”", .noMirror)
    }

    /// The command line that repeats this command as the owner.
    var repeatedCommand: String { commandLineForOwner ?? commandLine(wordsOfProcess) }

    /// `sudo -u apod-mirror apod-mirror verify --root /srv/apod --repair`; `nil` if this user is the owner.
    private var commandLineForOwner: String? {
        guard let userID, userID != Account.effectiveUserID else { return nil }
        var words = wordsOfProcess
        // The owner may have another mirror.
        if !isRootTyped { words.insert(contentsOf: ["--root", root], at: 1) }
        return "\(Account.sudo(asUser: userID)) \(commandLine(words))"
    }

    private var wordsOfProcess: [String] { Array(processArguments().dropFirst()) }

    private func commandLine(_ words: [String]) -> String {
        (["apod-mirror"] + words.map(\.shellWord)).joined(separator: " ")
    }

    /// The ID of the owner of the mirror, or of the directory that is to become one; `nil` if it cannot be read.
    private var userID: UInt32? {
        guard let directory = try? Tree.open(root) else { return nil }
        // The directory of the mirror may be a mount point that belongs to root.
        let folder = (try? directory.folder(Layout.own)) ?? directory
        return try? folder.status().owner
    }
}
