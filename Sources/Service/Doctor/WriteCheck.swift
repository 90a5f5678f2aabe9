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

    /// The path of the mirror.
    let root: String
    /// The mirror at ``root``, or why no command can open it.
    let mirror: Result<Tree, TreeError>
    /// The directory of the mirror, or the nearest directory above it that exists.
    let place: Directory
    /// The directory in which this user has made a test file, or why that failed.
    let testFolder: Result<Directory, SystemError>
    /// Whether a service is installed that keeps the mirror, or will create it.
    let hasService: Bool
    /// Whether the daemon of the mirror is one of this user, which nobody has stopped.
    let hasDaemonOfThisUser: Bool
    /// Now: a sync would write into the folders of this month.
    let time: Date

    func run() -> Outcome {
        if case .failure(.unmounted) = mirror {
            return .problem(
                "\(root) was a mirror; probably its disk is not mounted",
                remedy: "mount its disk, or for a new mirror there run “mkdir -p"
                    + " \("\(root)/\(Layout.own)".shellWord)”")
        }
        do {
            let owner = try place.status().owner
            if case .failure(let error) = testFolder { return outcome(ofRefusal: error, by: owner) }
            switch mirror {
            case .success(let tree):
                if let outcome = outcomeOfOpeningLock(of: tree, by: owner) { return outcome }
                try check(Store(reading: tree))
                if let problem = problemOfReadingFavorites(of: tree) { return problem }
                if Account.effectiveUserID == 0, owner != 0 { return noteForRoot(owner) }
                if let note = noteOnWritingFavorites(of: tree) { return note }
            case .failure(.notAMirror): break
            case .failure(let error): throw error
            }
            return .ok("\(Account.effectiveName) may write in \(place.path)")
        } catch {
            return Outcome(problem: error)
        }
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

    private func check(_ store: Store) throws {
        try store.checkCanPublish(at: time)
        try store.checkInternalFilesAreReadable()
        try store.checkAllFoldersAreWritable()
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

    /// The outcome if this user cannot make a test file in ``place``, the directory of `owner`, because of `error`.
    private func outcome(ofRefusal error: SystemError, by owner: UInt32) -> Outcome {
        if error.code == EROFS {
            return .problem(
                "\(place.path) is on a file system that is mounted read-only",
                remedy: "remount it writable (mount -o remount,rw), or choose another --root")
        }
        if error.cause == .denied, isForOther(owner) {
            let name = Account.name(ofUser: owner)
            return .note(
                "\(Account.effectiveName) may not write in \(place.path); \(name) may",
                remedy: remedy(runningAs: owner))
        }
        if case .success(let tree) = mirror, let remedy = tree.remedy(for: error) {
            return .problem("\(error)", remedy: remedy)
        }
        return Outcome(problem: error)
    }

    /// Whether `owner`, who owns ``place``, is another user who keeps or will keep the mirror, so that this user need not write.
    private func isForOther(_ owner: UInt32) -> Bool {
        guard owner != Account.effectiveUserID else { return false }
        // A restore has probably given everything to root, which has no daemon here.
        if hasDaemonOfThisUser, owner == 0 { return false }
        if case .success = mirror { return true }
        return hasService
    }

    /// The advice to run the checks as `owner`, because they say nothing about that user otherwise.
    private func remedy(runningAs owner: UInt32) -> String {
        "run all checks as \(Account.name(ofUser: owner)): \(Account.sudo(asUser: owner)) apod-mirror doctor"
            + " --root \(root.shellWord)"
    }
}
