extension Directory {
    /// How long it takes until the kernel reports a new file in the directory; `nil` if it does not within `limit`.
    ///
    /// `doctor` finds out by this whether changes are noticed. The file is a temporary one, whose name begins with `prefix`.
    ///
    /// - Throws: ``WatchObstacle``, ``SystemError`` or `CancellationError`.
    package func delayOfEvent(within limit: Duration, prefix: String) async throws -> Duration? {
        let inotify = try Inotify()
        _ = try inotify.watch(descriptor.rawValue, for: .named)
        let start = ContinuousClock.now
        // The file is created, and removed at once, because the value is not used.
        _ = try AtomicFile(prefix, in: self)
        while inotify.next() == nil {
            guard start.duration(to: .now) < limit else { return nil }
            try await CancellableContinuation().wait(
                onReadable: inotify.descriptor, by: start + limit)
        }
        return start.duration(to: .now)
    }
}
