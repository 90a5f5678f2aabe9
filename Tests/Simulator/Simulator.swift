package import APOD
internal import Platform

/// A simulated NASA with the wire format of the real one and faults on demand.
///
/// It listens on 127.0.0.1, responds on its own threads, and stops with its last reference.
/// Changes are possible while it runs, from any thread, and apply to the next request.
package final class Simulator: Sendable {
    private let responder: Responder
    private let server: HTTPServer

    /// Starts a server on `port`, or on any free port if it is 0.
    ///
    /// - Throws: `SystemError`, for example if the port is in use.
    package init(_ archive: Archive, port: UInt16 = 0, settings: Settings = .init()) throws {
        let responder = Responder(archive, settings: settings)
        self.responder = responder
        server = try HTTPServer(port: port, responder)
    }

    deinit { stop() }

    /// Closes every connection at once, including hanging ones.
    package func stop() {
        responder.held.stop()
        server.stop()
        responder.log.close()
    }

    package var port: UInt16 { server.port }
    /// As `http://127.0.0.1:40123`.
    package var origin: String { "http://127.0.0.1:\(port)" }
    package var basicAddress: String { origin + Routes.basic }
    package var v1Address: String { origin + Routes.v1 }
    package var classicAddress: String { origin + Routes.classic }
}

// MARK: - Entries

extension Simulator {
    /// Adds or edits a day.
    package func publish(_ entry: SimulatedEntry) {
        responder.catalog.withLock { $0.publish(entry) }
    }

    /// Edits the entry of a published day.
    package func edit(_ day: Day, _ change: (inout SimulatedEntry) -> Void) throws {
        guard var entry = entry(of: day) else { throw UnpublishedDay(day: day) }
        change(&entry)
        publish(entry)
    }

    /// A day that is to be edited, and has no entry.
    struct UnpublishedDay: Error { let day: Day }

    /// Withdraws a day with its files.
    package func withdraw(_ day: Day) {
        responder.catalog.withLock { $0.withdraw(day) }
    }

    /// Later days are not published yet; `nil` publishes all.
    package var newest: Day? {
        get { responder.catalog.withLock { $0.newest } }
        set { responder.catalog.withLock { $0.newest = newValue } }
    }

    /// The published days in order.
    package var published: [Day] { responder.catalog.withLock { Array($0.published) } }

    /// The entry of `day`; `nil` if it is not published.
    package func entry(of day: Day) -> SimulatedEntry? {
        responder.catalog.withLock { $0.entry(of: day) }
    }
}

// MARK: - Faults

extension Simulator {
    /// Applies `fault` to the next requests that `target` includes.
    ///
    /// Of several faults that match, the one injected first is applied first; `nil` times are always.
    package func inject(_ fault: Fault, on target: Target, times: Int? = 1) {
        responder.faults.withLock { $0.items.append((fault, target, times)) }
    }

    package func clearFaults() {
        responder.faults.withLock { $0.items = [] }
    }

    /// Continues all hanging responses, and sends the rest of slow ones at once.
    package func release() {
        responder.held.release()
    }

    /// Lets the picture of `day` take eleven minutes, at a rate that is no stall on a busy machine either, until
    /// ``release()``.
    package func sendSlowly(_ day: Day) throws {
        let drawing = Drawing(
            seed: 7, width: 48, height: 32, comment: String(repeating: "x", count: 64 << 20))
        try edit(day) {
            $0.media = .picture(SimulatedPicture(name: "slow.jpg", source: .drawn(drawing)))
        }
        inject(.slow(bytesPerSecond: 100 << 10), on: .mediaOf(day), times: nil)
    }

    /// Releases all hanging requests, and those that would hang.
    package func releaseRequests() async {
        clearFaults()
        repeat {
            release()
            await Task.yield()
        } while concurrency.now > 0
    }
}

// MARK: - Requests

extension Simulator {
    /// Every request since the start, or since ``resetLog()``.
    package var requests: [SimulatedRequest] { responder.log.requests }

    package func resetLog() {
        responder.log.reset()
    }

    /// The number of concurrent downloads: now, and the maximum since ``resetLog()``.
    ///
    /// A response that its client has received completely is not counted.
    package var concurrency: (now: Int, peak: Int) { responder.log.concurrency }

    /// Future requests, until ``stop()``.
    package func arrivals() -> AsyncStream<SimulatedRequest> {
        responder.log.arrivals()
    }
}

extension Simulator {
    package struct Settings: Sendable {
        /// Whether the v1 feed sends the logo for every date, as NASA has done since 2026-09-29.
        package var sendsV1Placeholders: Bool
        /// The v1 feed responds with 500 for these days and for ranges that contain one.
        package var badDays: Set<Day>
        /// Whether lists of the basic feed have their totals in headers.
        package var sendsTotals: Bool
        /// What a mirror of NASA's old site has.
        package var classicMirror: Archive

        package init(
            sendsV1Placeholders: Bool = false, badDays: Set<Day> = [],
            sendsTotals: Bool = true,
            classicMirror: Archive = Archive()
        ) {
            self.sendsV1Placeholders = sendsV1Placeholders
            self.badDays = badDays
            self.sendsTotals = sendsTotals
            self.classicMirror = classicMirror
        }
    }
}
