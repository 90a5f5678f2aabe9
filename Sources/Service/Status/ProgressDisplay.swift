package import Mirror
package import Platform
package import Transfer

/// Shows the progress of a sync: a bar on a terminal, otherwise a line every ten seconds.
package struct ProgressDisplay: Sendable {
    private let output: StandardStream
    private let traffic: Monitor<Int>
    private let progress = Monitor(Progress())
    private let start = ContinuousClock.now
    private let limit: Bandwidth?
    /// The bytes received before.
    private let bytes: Int

    package init(_ output: StandardStream, traffic: Monitor<Int>, limit: Bandwidth?) {
        self.output = output
        self.limit = limit
        self.traffic = traffic
        bytes = traffic.withLock(\.self)
    }

    /// Consumes and shows `events`; clears the bar at the end.
    package func show(
        _ events: SyncEvents, each: (SyncEvent) -> Void = { _ in }
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await Self.draw(on: output) { width in
                    progress.withLock { $0 }.line(
                        bytes: traffic.withLock(\.self) - bytes, elapsed: start.duration(to: .now),
                        limit: limit, width: width)
                }
            }
            for await event in events {
                progress.withLock { $0.record(event) }
                each(event)
            }
            group.cancelAll()
        }
        Self.clear(output)
    }

    /// Draws `line` until the task is cancelled; a file gets one every ten seconds.
    package static func draw(
        on output: StandardStream, _ line: @Sendable (_ width: Int?) -> String
    ) async {
        let isTerminal = output.columns != nil
        let interval: Duration = isTerminal ? .milliseconds(200) : .seconds(10)
        while (try? await LoopClock().sleep(for: interval)) != nil {
            let line = line(output.columns)
            output.write(styled: isTerminal ? "\r\(line)\u{1b}[K" : "\(line)\n")
        }
    }

    /// Clears the line that ``draw(on:_:)`` drew on a terminal.
    package static func clear(_ output: StandardStream) {
        if output.columns != nil { output.write(styled: "\r\u{1b}[K") }
    }
}
