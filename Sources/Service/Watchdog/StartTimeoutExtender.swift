internal import Platform

/// Asks the service manager for patience while it takes long to be ready, as long as that gets on.
///
/// A hundred thousand links on a slow disk are no reason to be killed; a look that hangs is one.
package struct StartTimeoutExtender: DaemonService {
    private let pause: Duration
    private let teller: StatusNotifier
    private let headway: @Sendable () async throws -> Void
    private let ask: @Sendable (Duration) -> Void

    /// - Parameters:
    ///   - pause: How often it asks.
    ///   - teller: Knows when all is ready.
    ///   - headway: Returns when the start has got on since the call.
    ///   - ask: Asks for so much time from now on.
    package init(
        every pause: Duration = .seconds(20), until teller: StatusNotifier,
        headway: @escaping @Sendable () async throws -> Void,
        ask: @escaping @Sendable (Duration) -> Void
    ) {
        self.pause = pause
        self.teller = teller
        self.headway = headway
        self.ask = ask
    }

    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await teller.waitUntilReady() }
            group.addTask {
                while true {
                    try await LoopClock().sleep(for: pause)
                    try await headway()
                    ask(pause * 4)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        // That was all; the others go on.
        try await CancellableContinuation().wait()
    }
}
