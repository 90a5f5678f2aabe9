package import APOD
internal import Platform

/// A NASA on this machine, over the same wire format as the real one, with faults on demand.
///
/// It listens on 127.0.0.1 alone, answers on threads of its own, and stops with its last reference.
/// Everything may be changed while it runs, from any thread, and counts for the next request.
package final class Simulator: Sendable {
    private let responder: Responder
    private let server: HTTPServer

    /// Starts to answer on `port`, or on any that is free where it is 0.
    ///
    /// - Throws: `SystemError`, as where another process has the port.
    package init(_ archive: Archive, port: UInt16 = 0, settings: Settings = .init()) throws {
        let responder = Responder(archive, settings: settings)
        self.responder = responder
        server = try HTTPServer(
            port: port, held: responder.held, log: responder.log,
            classify: { request in
                LoggedRequest(request, catalog: responder.catalog.withLock { $0 })
            },
            answer: responder.answer)
    }

    deinit { stop() }

    /// Closes every connection at once, also those that hang; all the rest does nothing any more.
    package func stop() {
        responder.held.stop()
        server.stop()
        responder.log.close()
    }

    package var port: UInt16 { server.port }
    /// As `http://127.0.0.1:40123`.
    package var origin: String { "http://127.0.0.1:\(port)" }
    /// The address of the basic feed.
    package var basicAddress: String { origin + Routes.basic }
    /// The address of the v1 feed.
    package var v1Address: String { origin + Routes.v1 }
}

// MARK: - What NASA has

extension Simulator {
    /// Adds a day, or edits one.
    package func publish(_ entry: SimulatedEntry) {
        responder.catalog.withLock { $0.publish(entry) }
    }

    /// Lists an entry under the date of another day as well, before the entry of that day; its page
    /// names its own day, which is not published by that.
    package func misfile(_ entry: SimulatedEntry, under day: Day) {
        responder.catalog.withLock { $0.misfile(entry, under: day) }
    }

    /// Takes a day away with its files.
    package func withdraw(_ day: Day) {
        responder.catalog.withLock { $0.withdraw(day) }
    }

    /// What comes after it is not published yet; `nil` where all is.
    package var newest: Day? {
        get { responder.catalog.withLock { $0.newest } }
        set { responder.catalog.withLock { $0.newest = newValue } }
    }

    /// The days that can be had, in order.
    package var published: [Day] { responder.catalog.withLock { Array($0.published) } }

    /// The entry of `day`, `nil` where it is not published.
    package func entry(of day: Day) -> SimulatedEntry? {
        responder.catalog.withLock { $0.entry(of: day) }
    }
}

// MARK: - What goes wrong

extension Simulator {
    /// Lets `fault` come upon the next requests that `target` includes.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong; of several that match, the one injected first comes first.
    ///   - target: The requests that it is for.
    ///   - times: How often it comes, `nil` for ever.
    package func inject(_ fault: Fault, on target: Target, times: Int? = 1) {
        responder.faults.withLock { $0.add(fault, on: target, times: times) }
    }

    /// Forgets the faults that have not come yet.
    package func clearFaults() {
        responder.faults.withLock { $0.clear() }
    }

    /// Lets go all requests that hang or stall; they get the rest of their answers.
    package func release() {
        responder.held.release()
    }
}

// MARK: - What was asked

extension Simulator {
    /// Every request since the start, or since ``resetLog()``.
    package var requests: [LoggedRequest] { responder.log.requests }

    package func resetLog() {
        responder.log.reset()
    }

    /// The requests for files that are under way at once: now, and at most since ``resetLog()``.
    ///
    /// A request that its client has all of never counts; one that is answered at once hardly does.
    package var concurrency: (now: Int, peak: Int) { responder.log.concurrency }

    /// The requests that arrive from now on; it ends with ``stop()``.
    package func arrivals() -> AsyncStream<LoggedRequest> {
        responder.log.arrivals()
    }
}
