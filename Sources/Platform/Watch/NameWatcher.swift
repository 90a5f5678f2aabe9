/// Watches one name in a directory, with a single watch of the kernel; see inotify(7).
///
/// Changes that happen after it was created are not missed. One task at a time may wait; a process has one
/// watcher at a time.
package final class NameWatcher {
    package enum Event: Hashable, Sendable {
        /// The name may have changed.
        case changed
        /// The directory was removed, or its file system was unmounted.
        case ended
        /// The deadline has come.
        case late
    }

    private let inotify: Inotify
    private let name: [UInt8]
    private var hasEnded = false

    package init(_ name: String, in directory: Directory) throws(WatchObstacle) {
        self.name = Array(name.utf8)
        inotify = try Inotify()
        _ = try inotify.watch(directory.descriptor.rawValue, for: .named)
    }

    /// Waits for the next change or the deadline; without one it never wakes up.
    package func next(
        by deadline: ContinuousClock.Instant? = nil
    ) async throws(CancellationError) -> Event {
        while !hasEnded {
            var isChanged = false
            while let event = inotify.next() {
                if event.kinds.contains(.ended) { hasEnded = true }
                if event.name == name || event.kinds.contains(.overflow) { isChanged = true }
            }
            if isChanged { return .changed }
            if hasEnded { break }
            if let deadline, deadline <= .now { return .late }
            try await EventLoop.shared.wait(toRead: inotify.descriptor, until: deadline)
        }
        return .ended
    }
}
