internal import Mirror
internal import Platform

/// Whether there is a mirror, and who keeps it.
struct MirrorCheck {
    private let patient: DoctorContext

    init(_ patient: DoctorContext) {
        self.patient = patient
    }

    var finding: CheckResult {
        switch patient.mirror {
        case .success(let tree):
            let keeper = tree.writer.map { "kept by process \($0)" } ?? "no daemon keeps it now"
            return .ok("mirror", "\(tree.root.path) is a mirror, \(keeper)")
        case .failure(.notAMirror) where isVacant:
            return .note(
                "mirror", "there is none yet in \(patient.root)",
                "“apod-mirror run --root \(patient.root.shellWord)” makes one")
        case .failure(.notAMirror):
            return .problem(
                "mirror", "\(patient.root) is not a mirror and not empty",
                "choose an empty directory with --root")
        case .failure(let error):
            let parts = "\(error)".split(separator: ": ", maxSplits: 1)
            return .problem(
                "mirror", String(parts[0]),
                parts.count > 1 ? String(parts[1]) : "see that this user may read it")
        }
    }

    /// Whether a mirror may be made there.
    private var isVacant: Bool {
        guard patient.isThere else { return true }
        let names = (try? patient.place.textNames()) ?? []
        return names.allSatisfy { Tree.isVacant($0) } || names.contains(Layout.own)
    }
}
