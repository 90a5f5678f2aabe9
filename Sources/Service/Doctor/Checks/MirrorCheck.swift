internal import Mirror
internal import Platform

/// Checks whether there is a mirror, and which process uses it.
struct MirrorCheck {
    private let context: DoctorContext

    init(_ context: DoctorContext) {
        self.context = context
    }

    var result: CheckResult {
        switch context.mirror {
        case .success(let tree):
            let user = tree.writer.map { "used by process \($0)" } ?? "no daemon is running"
            return .ok("mirror", "\(tree.root.path) is a mirror, \(user)")
        case .failure(.notAMirror) where isVacant:
            return .note(
                "mirror", "there is no mirror yet in \(context.root)",
                "create one: apod-mirror run --root \(context.root.shellWord)")
        case .failure(.notAMirror):
            return .problem(
                "mirror", "\(context.root) is not a mirror and not empty",
                "choose an empty directory with --root")
        case .failure(let error):
            let parts = "\(error)".split(separator: "; ", maxSplits: 1)
            return .problem(
                "mirror", String(parts[0]),
                parts.count > 1 ? String(parts[1]) : "give this user read permission")
        }
    }

    /// Whether a mirror may be created there.
    private var isVacant: Bool {
        guard context.isThere else { return true }
        let names = (try? context.place.textNames()) ?? []
        return names.allSatisfy { Tree.isExpectedInNewMirror($0) } || names.contains(Layout.own)
    }
}
