internal import Favorites
internal import Mirror
internal import Platform

/// Whether the kernel has as many watches and instances as favorites/ needs: see inotify(7).
struct InotifyCheck {
    private let patient: DoctorContext

    init(_ patient: DoctorContext) {
        self.patient = patient
    }

    private static let name = "inotify"

    var finding: CheckResult {
        guard let use = InotifyUsage() else {
            return .note(Self.name, "there is no /proc to tell the limits", nil)
        }
        let text =
            "\(use.watches) of \(use.watchesAtMost) watches and \(use.instances) of"
            + " \(use.instancesAtMost) instances are known to be in use"
        // A daemon that runs has its own already.
        let isKept = patient.tree?.writer != nil
        if !isKept, use.instancesAtMost - use.instances < 1 {
            return Self.problem(text, raise: "fs.inotify.max_user_instances")
        }
        if !isKept, use.watchesAtMost - use.watches < watchesNeeded {
            return Self.problem(text, raise: "fs.inotify.max_user_watches")
        }
        return .ok(Self.name, text)
    }

    private static func problem(_ text: String, raise setting: String) -> CheckResult {
        .problem(name, "\(text): links are found late", "raise \(setting), see sysctl(8)")
    }

    private var watchesNeeded: Int {
        guard let root = patient.tree?.root else { return 2 }
        return InotifyUsage.watchesNeeded(for: Scan.folder, in: root)
    }
}
