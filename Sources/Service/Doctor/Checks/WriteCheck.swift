internal import Glibc
internal import Platform

/// Checks that this user may write to the mirror.
struct WriteCheck {
    private let context: DoctorContext

    init(_ context: DoctorContext) {
        self.context = context
    }

    var result: CheckResult {
        let user = Account.name(ofUser: Account.current)
        switch context.scratch {
        case .success:
            return .ok("write", "\(user) may write in \(context.place.path)")
        case .failure(let error) where error.code == EROFS:
            return .problem(
                "write", "\(context.place.path) is on a file system that is mounted read-only",
                "remount it writable (mount -o remount,rw), or choose another --root")
        case .failure(let error) where error.isNoSpace:
            return .problem("write", "\(error)", "free disk space, or choose another --root")
        case .failure where context.tree != nil:
            return .note(
                "write", "\(user) may not write in \(context.place.path); \(owner) may",
                "run all checks as \(owner): sudo -u \(owner) apod-mirror doctor"
                    + " --root \(context.root.shellWord)")
        case .failure(let error):
            return .problem(
                "write", "\(error)",
                "give \(user) write permission there, or choose another --root")
        }
    }

    private var owner: String {
        (try? context.place.permissions()).map { Account.name(ofUser: $0.owner) } ?? "its owner"
    }
}
