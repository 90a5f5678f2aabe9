internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// Checks whether this user may write to a mirror, for the ``Doctor``.
///
/// It is no problem, only a note, if this user may not write to a mirror that another user or a service keeps.
struct WriteCheck {
    typealias Outcome = CheckResult.Outcome

    let root: String
    let mirror: Result<Tree, TreeError>
    /// The directory of the mirror, or the nearest directory above it that exists.
    let place: Directory
    /// The directory in which this user has made a test file, or why that failed.
    let testFolder: Result<Directory, SystemError>
    let hasService: Bool
    /// Whether the note of the daemon of this mirror is one of a daemon of this user.
    let hasOwnDaemon: Bool
    let time: Date

    func run() -> Outcome {
        if case .failure(.unmounted) = mirror {
            return .problem(
                "\(root) was a mirror; probably its disk is not mounted",
                remedy: "mount its disk, or for a new mirror there run “mkdir -p"
                    + " \("\(root)/\(Layout.own)".shellWord)”")
        }
        if case .failure(let error) = testFolder { return outcome(ofRefusal: error) }
        do {
            if let tree = try presentMirror {
                let store = Store(reading: tree)
                try store.checkCanPublish(at: time)
                try store.checkInternalFilesAreReadable()
                try store.checkAllFoldersAreWritable()
                if let note = try noteForRoot() { return note }
            }
            return .ok("\(Account.effectiveName) may write in \(place.path)")
        } catch {
            return Outcome(problem: error)
        }
    }

    /// The mirror; `nil` if there is none yet, and an error if no command can open what is there.
    private var presentMirror: Tree? {
        get throws(TreeError) {
            do {
                return try mirror.get()
            } catch .notAMirror {
                return nil
            }
        }
    }

    /// The outcome if root runs the checks, but another user owns the mirror; `nil` otherwise.
    private func noteForRoot() throws(SystemError) -> Outcome? {
        let owner = try place.status().owner
        guard Account.effectiveUserID == 0, owner != 0 else { return nil }
        return .note(
            "root may write everywhere, which does not say that \(name(of: owner)) may",
            remedy: remedy(runningAs: owner))
    }

    /// The outcome for a user who cannot make a test file because of `error`.
    private func outcome(ofRefusal error: SystemError) -> Outcome {
        if error.code == EROFS {
            return .problem(
                "\(place.path) is on a file system that is mounted read-only",
                remedy: "remount it writable (mount -o remount,rw), or choose another --root")
        }
        let owner = (try? place.status())?.owner
        // If all belongs to root, that is probably the work of a restore, and no daemon of root has the mirror.
        let isRestored = hasOwnDaemon && owner == 0
        if error.cause == .denied, mayBelongToOther, !isRestored, owner != Account.effectiveUserID {
            return .note(
                "\(Account.effectiveName) may not write in \(place.path); \(name(of: owner)) may",
                remedy: remedy(runningAs: owner))
        }
        guard case .success(let tree) = mirror, let remedy = tree.remedy(for: error) else {
            return Outcome(problem: error)
        }
        return .problem("\(error)", remedy: remedy)
    }

    private var mayBelongToOther: Bool { if case .success = mirror { true } else { hasService } }

    /// The advice to run the checks as the `owner`, because they say nothing about that user otherwise.
    private func remedy(runningAs owner: UInt32?) -> String {
        let sudo = owner.map(Account.sudo(asUser:)) ?? "sudo -u OWNER"
        return
            "run all checks as \(name(of: owner)): \(sudo) apod-mirror doctor --root \(root.shellWord)"
    }

    private func name(of owner: UInt32?) -> String {
        owner.map(Account.name(ofUser:)) ?? "its owner"
    }
}
