/// The daemon: keepers side by side until the task is cancelled.
///
/// Cancellation is its only end; whatever they are doing then, nothing is left half done.
package struct Daemon: Sendable {
    private let keepers: [any DaemonService]

    package init(_ keepers: [any DaemonService]) {
        self.keepers = keepers
    }

    /// Runs until the task is cancelled, or one of the keepers cannot go on.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for keeper in keepers {
                group.addTask { try await keeper.run() }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
