package import Mirror
package import Platform

/// Shows how far a pass is: a bar that moves on a terminal, a line now and then elsewhere.
package struct ProgressDisplay: Sendable {
    private let output: Output
    private let traffic: ByteCounter
    private let progress = Monitor(Progress())
    private let start = ContinuousClock.now
    /// What arrived before.
    private let bytes: Int

    package init(_ output: Output, traffic: ByteCounter) {
        self.output = output
        self.traffic = traffic
        bytes = traffic.bytes
    }

    /// Consumes `events` and shows them, and leaves a clean line behind.
    package func show(
        _ events: SyncEvents, each: (SyncEvent) -> Void = { _ in }
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await draw() }
            for await event in events {
                progress.withLock { $0.take(event) }
                each(event)
            }
            group.cancelAll()
        }
        if output.columns != nil { output.write(styled: "\r\u{1b}[K") }
    }

    private func draw() async {
        let isTerminal = output.columns != nil
        let interval: Duration = isTerminal ? .milliseconds(200) : .seconds(10)
        while (try? await LoopClock().sleep(for: interval)) != nil {
            let line = progress.withLock { $0 }.line(
                bytes: traffic.bytes - bytes, elapsed: start.duration(to: .now),
                width: output.columns)
            output.write(styled: isTerminal ? "\r\(line)\u{1b}[K" : "\(line)\n")
        }
    }
}
