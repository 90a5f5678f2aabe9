internal import Platform

/// Checks that fsync(2) is effective, and how long it takes.
///
/// Only a power cut would prove that; this finds file systems and libraries that are known to ignore
/// fsync.
struct SyncCheck {
    private let context: DoctorContext
    private let scratch: Scratch
    private let environment: [String: String]

    init(_ context: DoctorContext, _ scratch: Scratch, environment: [String: String]) {
        self.context = context
        self.scratch = scratch
        self.environment = environment
    }

    private static let name = "fsync"

    var result: CheckResult {
        let mount = Mount(of: context.place)
        let type = mount?.type ?? "this file system"
        do {
            let time = try time()
            return deceit ?? mount.flatMap(Self.weakness) ?? Self.result(of: time, on: type)
        } catch {
            return .problem(Self.name, "\(error)", "replace the disk, or choose another --root")
        }
    }

    /// The median of five.
    private func time() throws -> Duration {
        let file = try scratch.file("sync")
        var times: [Duration] = []
        for _ in 0..<5 {
            try file.write([UInt8](repeating: 1, count: 4096), path: scratch.folder.path)
            let start = ContinuousClock.now
            try file.synchronize(path: scratch.folder.path)
            times.append(start.duration(to: .now))
        }
        return times.sorted()[2]
    }

    /// A library that makes fsync(2) do nothing, see eatmydata(1).
    private var deceit: CheckResult? {
        guard environment["LD_PRELOAD", default: ""].contains("eatmydata") else { return nil }
        return .problem(
            Self.name, "libeatmydata disables fsync", "unset LD_PRELOAD")
    }

    private static func weakness(of mount: Mount) -> CheckResult? {
        if mount.isMemory {
            return .note(
                name, "\(mount.type) is in memory: a restart of the machine loses everything",
                "put the mirror on a disk")
        }
        if mount.type == "overlay" {
            return .note(
                name, "overlay is a layer of a container and is deleted with it",
                "mount a volume of the host there")
        }
        if mount.isNetwork {
            return .note(
                name, "\(mount.type) depends on its server for syncing",
                "export it with the option “sync” on the server")
        }
        guard mount.isWithoutBarriers else { return nil }
        return .problem(
            name, "\(mount.type) is mounted without barriers: a power cut may lose synced data",
            "remove “nobarrier” or “barrier=0” from /etc/fstab")
    }

    private static func result(of time: Duration, on type: String) -> CheckResult {
        let text = Self.text(of: time)
        if time < .microseconds(20) {
            return .note(
                name, "\(type) takes \(text), faster than a disk: a cache may confirm too early",
                "disable the write cache of the disk, unless it has a battery")
        }
        guard time < .seconds(1) else {
            return .note(
                name, "\(type) takes \(text): downloading many days will be slow",
                "check what else writes to that disk")
        }
        return .ok(name, "\(type) takes \(text)")
    }

    private static func text(of time: Duration) -> String {
        let microseconds = Int(time / .microseconds(1))
        return microseconds < 1000
            ? "\(microseconds) µs" : "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
    }
}
