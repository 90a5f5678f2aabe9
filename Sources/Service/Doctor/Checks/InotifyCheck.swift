internal import Favorites
internal import Mirror
internal import Platform

/// Checks that enough inotify watches and instances are available for favorites/: see inotify(7).
struct InotifyCheck {
    private let context: DoctorContext

    init(_ context: DoctorContext) {
        self.context = context
    }

    private static let name = "inotify"

    var result: CheckResult {
        guard let use = InotifyUsage() else {
            return .note(Self.name, "cannot read the limits: there is no /proc", nil)
        }
        let text =
            "\(use.watches) of \(use.watchesAtMost) watches and \(use.instances) of"
            + " \(use.instancesAtMost) instances are in use"
        // A running daemon has its watches already.
        let isKept = context.tree?.writer != nil
        if !isKept, use.instancesAtMost - use.instances < 1 {
            return Self.problem(text, raise: "fs.inotify.max_user_instances")
        }
        if !isKept, use.watchesAtMost - use.watches < watchesNeeded {
            return Self.problem(text, raise: "fs.inotify.max_user_watches")
        }
        return .ok(Self.name, text)
    }

    private static func problem(_ text: String, raise setting: String) -> CheckResult {
        .problem(name, "\(text): favorites/ cannot be watched", "raise \(setting), see sysctl(8)")
    }

    private var watchesNeeded: Int {
        guard let root = context.tree?.root else { return 2 }
        return InotifyUsage.watchesNeeded(for: Scan.folder, in: root)
    }
}
