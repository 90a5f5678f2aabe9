internal import Favorites
internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// Checks whether this user may write to a mirror, for the ``Doctor``.
///
/// It is no problem, only a note, if this user may not write to a mirror that another user or a service keeps.
struct WriteCheck {
    typealias Outcome = CheckResult.Outcome

    let place: MirrorPlace
    /// Whether a service is installed that keeps the mirror, or will create it.
    let hasService: Bool
    /// Whether the daemon of the mirror is one of this user, which nobody has stopped.
    let hasDaemonOfThisUser: Bool
    /// Now: a sync would write into the folders of this month.
    let time: Date

    func run() -> Outcome {
        if case .failure(.unmounted) = place.mirror { return problemOfUnmountedDisk }
        do {
            let owner = try place.directory.status().owner
            if case .failure(let error) = place.testFolder {
                return outcome(ofRefusal: error, by: owner)
            }
            switch place.mirror {
            case .success(let tree):
                if let outcome = try outcome(ofExaminingMirror: tree, of: owner) { return outcome }
            case .failure(.notAMirror): break
            case .failure(let error): throw error
            }
            return .ok("\(Account.effectiveName) may write in \(place.directory.path)")
        } catch {
            return Outcome(problem: error)
        }
    }

    private var problemOfUnmountedDisk: Outcome {
        let command = "mkdir -p \("\(place.root)/\(Layout.own)".shellWord)"
        return .problem(
            "\(place.root) was a mirror; probably its disk is not mounted",
            remedy: "mount its disk, or for a new mirror there run “\(command)”")
    }

    /// The first problem or note of a mirror in which this user can make a test file; `nil` if there is none.
    private func outcome(ofExaminingMirror tree: Tree, of owner: UInt32) throws -> Outcome? {
        if let outcome = outcomeOfOpeningLock(of: tree, by: owner) { return outcome }
        let store = Store(reading: tree)
        try store.checkCanPublish(at: time)
        try store.checkInternalFilesAreReadable()
        try store.checkAllFoldersAreWritable()
        if let problem = problemOfReadingFavorites(of: tree) { return problem }
        if Account.effectiveUserID == 0, owner != 0 { return noteForRoot(owner) }
        return noteOnWritingFavorites(of: tree)
    }

    /// The outcome if this user cannot open the lock, as every process must that writes the mirror; `nil` if it can.
    private func outcomeOfOpeningLock(of tree: Tree, by owner: UInt32) -> Outcome? {
        do throws(SystemError) {
            _ = try ifPresent(tree.root.openFile(Layout.lock, O_RDWR))
            return nil
        } catch {
            guard error.cause == .denied else {
                return Outcome(problem: TreeError.notWritable(error))
            }
            return outcome(ofRefusal: error, by: owner)
        }
    }

    /// The problem if this user may not read `favorites/` itself, so that all links seem to be missing; `nil` if there is none.
    ///
    /// A collection may be private on purpose.
    private func problemOfReadingFavorites(of tree: Tree) -> Outcome? {
        let errors = Scan(of: tree.root).failures.lazy.map(\.error)
        let path = "\(tree.root.path)/\(Layout.favorites)"
        guard let error = errors.first(where: { $0.cause == .denied && $0.path == path }),
            let remedy = tree.remedy(for: error)
        else { return nil }
        return .problem("\(error)", remedy: remedy)
    }

    /// A note if this user may not write in `favorites/`; `nil` if there is nothing to note.
    ///
    /// It is no problem, because a person may have wanted it.
    private func noteOnWritingFavorites(of tree: Tree) -> Outcome? {
        do throws(SystemError) {
            try tree.root.checkWritable(Layout.favorites)
            return nil
        } catch {
            guard error.cause == .denied, let remedy = tree.remedy(for: error) else { return nil }
            return .note(
                "\(Account.effectiveName) may not write in \(error.path), so that apod-mirror cannot make links or its"
                    + " report there", remedy: remedy)
        }
    }

    /// The outcome if root runs the checks of a mirror that `owner` owns.
    private func noteForRoot(_ owner: UInt32) -> Outcome {
        .note(
            "root may write everywhere, which does not say that \(Account.name(ofUser: owner)) may",
            remedy: remedy(runningAs: owner))
    }

    /// The outcome if this user cannot make a test file in the directory of `owner`, because of `error`.
    private func outcome(ofRefusal error: SystemError, by owner: UInt32) -> Outcome {
        if error.code == EROFS {
            return .problem(
                "\(place.directory.path) is on a file system that is mounted read-only",
                remedy: "remount it writable (mount -o remount,rw), or choose another --root")
        }
        if error.cause == .denied, isForOther(owner) {
            let name = Account.name(ofUser: owner)
            return .note(
                "\(Account.effectiveName) may not write in \(place.directory.path); \(name) may",
                remedy: remedy(runningAs: owner))
        }
        if case .success(let tree) = place.mirror, let remedy = tree.remedy(for: error) {
            return .problem("\(error)", remedy: remedy)
        }
        return Outcome(problem: error)
    }

    /// Whether `owner`, who owns the directory, is another user who keeps or will keep the mirror, so that this user need not write.
    private func isForOther(_ owner: UInt32) -> Bool {
        guard owner != Account.effectiveUserID else { return false }
        // A restore has probably given everything to root, which has no daemon here.
        if hasDaemonOfThisUser, owner == 0 { return false }
        if case .success = place.mirror { return true }
        return hasService
    }

    /// The advice to run the checks as `owner`, because they say nothing about that user otherwise.
    private func remedy(runningAs owner: UInt32) -> String {
        "run all checks as \(Account.name(ofUser: owner)): \(Account.sudo(asUser: owner)) apod-mirror doctor"
            + " --root \(place.root.shellWord)"
    }
}
