internal import FoundationEssentials
package import Mirror
package import Platform
package import Transfer

/// Shows the progress of a sync: a bar on a terminal, otherwise a line every ten seconds.
package struct ProgressDisplay: Sendable {
    private let output: StandardStream
    /// The bytes that the sync received so far.
    private let traffic: SharedValue<Int>
    private let progress = SharedValue(Progress(start: Date()))
    private let start = ContinuousClock.now
    /// The limit of all downloads, which the line shows; `nil` if there is none.
    private let limit: Bandwidth?

    package init(_ output: StandardStream, traffic: SharedValue<Int>, limit: Bandwidth?) {
        self.output = output
        self.limit = limit
        self.traffic = traffic
    }

    /// Shows `events` until they end, and passes each to `body`.
    package func show(_ events: SyncEvents, each body: (SyncEvent) -> Void) async {
        await Self.draw(on: output) { width in
            progress.withLock { $0 }.line(
                bytes: traffic.withLock(\.self), elapsed: start.duration(to: .now), limit: limit,
                width: width)
        } while: {
            for await event in events {
                progress.withLock { $0.record(event) }
                body(event)
            }
        }
    }

    /// Draws `line` again and again while `body` runs, and clears it at the end; a file gets a line every ten seconds.
    package static func draw(
        on output: StandardStream, _ line: @escaping @Sendable (_ width: Int?) -> String,
        while body: () async throws -> Void
    ) async rethrows {
        defer { clear(output) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let isTerminal = output.columns != nil
                let interval: Duration = isTerminal ? .milliseconds(200) : .seconds(10)
                while true {
                    // A cancellation ends the task by the error.
                    try await LoopClock().sleep(for: interval)
                    let text = line(output.columns)
                    output.write(styled: isTerminal ? "\r\(text)\(clearToEnd)" : "\(text)\n")
                }
            }
            try await body()
        }
    }

    /// Clears the line that is drawn on a terminal.
    package static func clear(_ output: StandardStream) {
        if output.columns != nil { output.write(styled: "\r\(clearToEnd)") }
    }

    /// The escape sequence EL, which clears the rest of the line, see console_codes(4).
    private static let clearToEnd: TerminalText = "\u{1b}[K"
}
