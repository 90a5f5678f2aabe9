import CInotifyTools
import Glibc
import Platform

/// The time from symlink(2) on tmpfs to its event on the thread of the event loop.
struct EventLatency {
    private let bench: Workbench

    private static let links = 3000

    init(_ bench: Workbench) { self.bench = bench }

    func measure() async throws -> [Goal] {
        let times = try await bench.inMemory { try byThread($0) }
        bench.say(
            "  "
                + [50, 90, 99].map { "p\($0) \(times.percentile($0).short) us" }
                .joined(separator: ", "))
        return [
            Goal("a link to its event: p50", unit: "us", times.percentile(50), .atMost(20))
        ]
    }

    private func byThread(_ folder: Directory) throws -> [Double] {
        let links = try folder.makeDirectory("thread")
        let events = FileDescriptor(owning: inotify_init())
        _ = unsafe inotify_add_watch(events.rawValue, links.path, UInt32(IN_CREATE))
        let times = Monitor([Double]())
        let pen = Pen(in: links, Self.links)
        let descriptor = events.rawValue
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let interest = EventLoop.shared.onReadable(descriptor) {
            let count = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0, let time = pen.time() else { return }
            times.withLock { $0.append(time) }
            times.signal()
        }
        defer { interest.cancel() }
        return times.wait { $0.count == Self.links ? $0 : nil }
    }
}

/// Creates a link in its own thread whenever the previous one was detected, after a pause.
private final class Pen: Sendable {
    private struct State {
        var start: ContinuousClock.Instant?
        var isNoticed = false
    }

    private let state = Monitor(State())

    init(in folder: Directory, _ count: Int) {
        startThread("links") { [state] in
            for index in 0..<count {
                let name = "\(index)"
                usleep(300)
                state.withLock { $0.start = .now }
                try? folder.symlink(name, to: "/nowhere")
                state.wait { state in
                    defer { state.isNoticed = false }
                    return state.isNoticed ? () : nil
                }
            }
        }
    }

    /// The microseconds since the creation of the last link, `nil` on repeated calls.
    func time() -> Double? {
        let now = ContinuousClock.now
        let start = state.withLock { state in
            defer { state.start = nil }
            state.isNoticed = state.start != nil
            return state.start
        }
        guard let start else { return nil }
        state.signal()
        return start.duration(to: now).microseconds
    }
}
