/// Runs all services concurrently until the task is cancelled.
///
/// Cancellation is the only shutdown; it leaves no partial file.
package struct Daemon: Sendable {
    private let services: [any DaemonService]

    package init(_ services: [any DaemonService]) {
        self.services = services
    }

    /// Runs until the task is cancelled or a service throws.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services {
                group.addTask { try await service.run() }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// A long-running part of the daemon.
///
/// Services run concurrently and do not know each other: see ``Daemon``.
package protocol DaemonService: Sendable {
    /// Runs until the task is cancelled; files are consistent at any time.
    ///
    /// - Throws: A fatal error, which ends the daemon; or `CancellationError`.
    func run() async throws
}
