internal import Glibc
internal import Platform

/// Checks that a new file causes an event.
struct EventCheck {
    private let context: DoctorContext
    private let scratch: Scratch

    init(_ context: DoctorContext, _ scratch: Scratch) {
        self.context = context
        self.scratch = scratch
    }

    private static let name = "events"
    private static let timeout = Duration.seconds(2)

    func result() async throws -> CheckResult {
        let watch = DirectoryWatcher(of: scratch.name, in: scratch.parent, debounce: .none)
        do {
            _ = try await watch.scan()
            if case .polling(let limit) = await watch.mode { return Self.polling(limit) }
            return try await wait(for: watch)
        } catch let error as SystemError {
            return .problem(Self.name, "\(error)", "see that this user may read there")
        }
    }

    private func wait(for watch: DirectoryWatcher) async throws -> CheckResult {
        // The start of the watch is reported first.
        _ = await watch.nextReason()
        let cookie = scratch.name(of: "cookie")
        let start = ContinuousClock.now
        _ = try scratch.folder.open(cookie, O_WRONLY | O_CREAT)
        while let hint = await watch.nextReason(by: start + Self.timeout) {
            if hint.contains(.changed) { return arrived(after: start.duration(to: .now)) }
            if hint.contains(.due) { return lost }
        }
        throw CancellationError()
    }

    private func arrived(after time: Duration) -> CheckResult {
        let text = "an event arrives \(Int(time / .microseconds(1))) µs after a change"
        guard let mount = Mount(of: context.place), mount.isNetwork else {
            return .ok(Self.name, text)
        }
        return .note(
            Self.name, "\(text), but \(mount.type) reports no changes by other machines",
            "run “systemctl reload apod-mirror” after a change there, or wait up to an hour")
    }

    private var lost: CheckResult {
        let type = Mount(of: context.place)?.type ?? "this file system"
        return .problem(
            Self.name, "\(type) reports no events: links are found by the hourly scan only",
            "put the mirror on a local file system such as ext4, XFS or btrfs")
    }

    private static func polling(_ limit: WatchLimit) -> CheckResult {
        let parts = "\(limit)".split(separator: ": ", maxSplits: 1).map(String.init)
        return .problem(
            name, "\(parts[0]): favorites/ is scanned every ten seconds instead",
            parts.count > 1 ? parts[1] : "remove the cause, so that the folder can be watched")
    }
}
