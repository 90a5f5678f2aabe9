internal import Platform

/// Verifies months, several at a time, and reports their events in the order of the months.
///
/// A single thread cannot hash while it waits for the disk.
final class MonthQueue: Sendable {
    typealias Report = (VerifyEvent) -> Bool
    typealias Verify = (_ month: String) throws(VerifyStopped) -> Void

    private struct Progress {
        /// The number of months that were begun.
        var begun = 0
        /// The month whose events are reported at once; those of later months wait for its end.
        var current = 0
        var events: [[VerifyEvent]]
        var isDone: [Bool]
        /// The bytes that were read since the last report.
        var bytes = 0
        var threads: Int
        var isStopped = false

        /// Begins a month; `nil` if the thread has nothing left to do.
        mutating func begin() -> Int? {
            guard !isStopped, begun < events.count else {
                threads -= 1
                return nil
            }
            begun += 1
            return begun - 1
        }

        /// Removes the events that are due: `nil` if there are none yet, none at the end.
        mutating func takeEvents() -> [VerifyEvent]? {
            var due: [VerifyEvent] = []
            while current < events.count {
                due += events[current]
                events[current] = []
                guard isDone[current] else { break }
                current += 1
            }
            return due.isEmpty && threads > 0 ? nil : due
        }

        mutating func takeBytes() -> Int {
            defer { bytes = 0 }
            return bytes
        }
    }

    private let months: [String]
    private let makeVerify: @Sendable (@escaping Report) -> Verify
    private let progress: Monitor<Progress>

    private init(
        _ months: [String], threads: Int,
        makeVerify: @escaping @Sendable (@escaping Report) -> Verify
    ) {
        self.months = months
        self.makeVerify = makeVerify
        progress = Monitor(
            Progress(
                events: Array(repeating: [], count: months.count),
                isDone: Array(repeating: false, count: months.count), threads: threads))
    }

    /// Verifies the sorted `months`, as many at a time as there are threads; with one, only the calling thread
    /// works.
    ///
    /// `report` receives all events on the calling thread, and returns whether to continue. `makeVerify` returns
    /// for each thread what verifies one month and reports its events.
    static func run(
        _ months: [String], threads: Int, report: @escaping Report,
        makeVerify: @escaping @Sendable (@escaping Report) -> Verify
    ) throws(VerifyStopped) {
        guard threads > 1 else {
            let verify = makeVerify(report)
            for month in months { try verify(month) }
            return
        }
        let queue = MonthQueue(months, threads: threads, makeVerify: makeVerify)
        for _ in 0..<threads { startThread("verify") { queue.work() } }
        try queue.reportEvents(to: report)
    }

    /// Reports events until all threads have ended.
    private func reportEvents(to report: Report) throws(VerifyStopped) {
        var isStopped = false
        while true {
            let events = progress.wait(atMost: .milliseconds(100)) { $0.takeEvents() }
            if events?.isEmpty == true { break }
            let bytes = progress.withLock { $0.takeBytes() }
            // Also where nothing was read: the report says whether to continue.
            for event in [.read(bytes: bytes)] + (events ?? []) where !isStopped {
                isStopped = !report(event)
            }
            if isStopped { progress.withLock { $0.isStopped = true } }
        }
        if isStopped { throw VerifyStopped() }
        _ = report(.read(bytes: progress.withLock { $0.takeBytes() }))
    }

    private func work() {
        var month = 0
        let verify = makeVerify { self.add($0, of: month) }
        while let next = progress.withLock({ $0.begin() }) {
            month = next
            do {
                try verify(months[month])
                progress.withLock { $0.isDone[month] = true }
            } catch {
                // Stopped.
            }
            progress.signal()
        }
        progress.signal()
    }

    /// Returns whether to continue.
    private func add(_ event: VerifyEvent, of month: Int) -> Bool {
        let (isDue, isStopped) = progress.withLock { progress in
            if case .read(let bytes) = event {
                progress.bytes += bytes
                return (false, progress.isStopped)
            }
            progress.events[month].append(event)
            return (month == progress.current, progress.isStopped)
        }
        if isDue { progress.signal() }
        return !isStopped
    }
}
