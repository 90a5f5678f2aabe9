internal import Platform

/// Whether fsync(2) brings bytes onto a disk, and how long it takes.
///
/// That they are there is seen only after a power cut. What is seen here is a file system or a library
/// that does not even try.
struct SyncCheck {
    private let patient: DoctorContext
    private let environment: [String: String]

    init(_ patient: DoctorContext, environment: [String: String]) {
        self.patient = patient
        self.environment = environment
    }

    private static let name = "fsync"

    var finding: CheckResult {
        guard let scratch = try? patient.scratch.get() else { return patient.untried(Self.name) }
        let mount = Mount(of: patient.place)
        let type = mount?.type ?? "this file system"
        do {
            let time = try Self.time(in: scratch)
            return deceit ?? mount.flatMap(Self.weakness) ?? Self.judgement(of: time, on: type)
        } catch {
            return .problem(Self.name, "\(error)", "replace the disk, or choose another --root")
        }
    }

    /// The median of a few.
    private static func time(in scratch: Scratch) throws -> Duration {
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
            Self.name, "libeatmydata makes it do nothing", "run without it: unset LD_PRELOAD")
    }

    private static func weakness(of mount: Mount) -> CheckResult? {
        if mount.isMemory {
            return .note(
                name, "\(mount.type) lies in memory: nothing outlives a restart of the machine",
                "put the mirror on a disk")
        }
        if mount.type == "overlay" {
            return .note(
                name, "overlay is a layer of a container and goes with it",
                "mount a volume of the host there")
        }
        if mount.isNetwork {
            return .note(
                name, "\(mount.type) syncs as well as its server does",
                "see that the server exports it with “sync”")
        }
        guard mount.isWithoutBarriers else { return nil }
        return .problem(
            name, "\(mount.type) is mounted without barriers: a power cut may take what was synced",
            "take “nobarrier” or “barrier=0” out of /etc/fstab")
    }

    private static func judgement(of time: Duration, on type: String) -> CheckResult {
        let text = Self.text(of: time)
        if time < .microseconds(20) {
            return .note(
                name, "\(type) takes \(text), less than a disk can: something in between may lie",
                "see that the disk's cache is written through, or has a battery")
        }
        guard time < .seconds(1) else {
            return .note(
                name, "\(type) takes \(text): catching up will be slow",
                "see what else writes to that disk")
        }
        return .ok(name, "\(type) takes \(text)")
    }

    private static func text(of time: Duration) -> String {
        let microseconds = Int(time / .microseconds(1))
        return microseconds < 1000
            ? "\(microseconds) µs" : "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
    }
}
