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

/// Checks that the file system supports symbolic links.
struct LinkCheck {
    private let scratch: Scratch

    init(_ scratch: Scratch) {
        self.scratch = scratch
    }

    private static let name = "symlinks"

    var result: CheckResult {
        do {
            try scratch.folder.symlink(scratch.name(of: "link"), to: "nowhere")
            return .ok(Self.name, "are supported")
        } catch {
            return .note(
                Self.name,
                "are not supported (\(error.reason)): no latest.*, no links as favorites",
                "drop copies or shortcuts, or put the mirror on ext4, XFS or btrfs")
        }
    }
}
