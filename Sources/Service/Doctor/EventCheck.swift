internal import Glibc
internal import Platform

/// Whether events tell of changes: a file is made, and its event must arrive.
struct EventCheck {
    private let patient: DoctorContext

    init(_ patient: DoctorContext) {
        self.patient = patient
    }

    private static let name = "events"
    private static let patience = Duration.seconds(2)

    func finding() async throws -> CheckResult {
        guard let scratch = try? patient.scratch.get() else { return patient.untried(Self.name) }
        let watch = DirectoryWatcher(of: scratch.name, in: scratch.parent, settling: .none)
        do {
            _ = try await watch.list()
            if case .polling(let limit) = await watch.mode { return Self.polling(limit) }
            return try await wait(for: scratch, watch)
        } catch let error as SystemError {
            return .problem(Self.name, "\(error)", "see that this user may read there")
        }
    }

    private func wait(for scratch: Scratch, _ watch: DirectoryWatcher) async throws -> CheckResult {
        // That the watch has begun is a hint, too.
        _ = await watch.nextHint()
        let cookie = scratch.name(of: "cookie")
        let start = ContinuousClock.now
        _ = try scratch.folder.open(cookie, O_WRONLY | O_CREAT)
        while let hint = await watch.nextHint(by: start + Self.patience) {
            if hint.contains(.changed) { return arrived(after: start.duration(to: .now)) }
            if hint.contains(.due) { return lost }
        }
        throw CancellationError()
    }

    private func arrived(after time: Duration) -> CheckResult {
        let text = "an event tells of a change after \(Int(time / .microseconds(1))) µs"
        guard let mount = Mount(of: patient.place), mount.isNetwork else {
            return .ok(Self.name, text)
        }
        return .note(
            Self.name, "\(text), but on \(mount.type) not of what other machines change",
            "what they drop is found within the hour, or by “systemctl reload apod-mirror”")
    }

    private var lost: CheckResult {
        let type = Mount(of: patient.place)?.type ?? "this file system"
        return .problem(
            Self.name, "\(type) tells of no change: links are found within the hour only",
            "keep the mirror on a local file system such as ext4, XFS or btrfs")
    }

    private static func polling(_ limit: WatchLimit) -> CheckResult {
        let parts = "\(limit)".split(separator: ": ", maxSplits: 1).map(String.init)
        return .problem(
            name, "\(parts[0]): links are found by a look every ten seconds",
            parts.count > 1 ? parts[1] : "free what keeps the folder from being watched")
    }
}
