internal import Platform

/// Verifies months, several at a time, and reports their events in the order of the months.
///
/// A single thread cannot hash while it waits for the disk.
enum MonthQueue {
    typealias Report = (VerifyEvent) -> Bool
    typealias Verify =
        @Sendable (
            _ month: String, _ report: @escaping Report
        ) throws(VerifyStopped) -> Void

    private struct Progress {
        /// The number of months that were begun.
        var begun = 0
        /// The events of each month that were not reported yet.
        var events: [[VerifyEvent]]
        var ended: Set<Int> = []
        /// The bytes that were read since the last report.
        var bytes = 0
        /// The number of threads that use the tree.
        var threads: Int
        var isStopped = false

        /// Begins a month; `nil` if the thread has nothing left to do.
        mutating func begin() -> Int? {
            guard !isStopped, begun < events.count else { return nil }
            begun += 1
            return begun - 1
        }

        /// Returns whether to continue.
        mutating func add(_ event: VerifyEvent, of month: Int) -> Bool {
            if case .read(let bytes) = event {
                self.bytes += bytes
            } else {
                events[month].append(event)
            }
            return !isStopped
        }

        /// Removes the events that are due, and returns whether the month has ended.
        mutating func take(_ month: Int) -> (events: [VerifyEvent], isEnd: Bool) {
            defer { (bytes, events[month]) = (0, []) }
            // Also where nothing was read: the report says whether to continue.
            return ([.read(bytes: bytes)] + events[month], ended.contains(month))
        }
    }

    /// Verifies the sorted `months`, as many at a time as there are threads; with one, only the calling thread
    /// works.
    ///
    /// `report` receives all events on the calling thread, and returns whether to continue. At the end no thread
    /// uses the tree.
    static func run(
        _ months: [String], threads: Int, report: @escaping Report, verify: @escaping Verify
    ) throws(VerifyStopped) {
        guard threads > 1 else {
            for month in months { try verify(month, report) }
            return
        }
        let progress = Monitor(
            Progress(events: Array(repeating: [], count: months.count), threads: threads))
        for _ in 0..<threads {
            startThread("verify") {
                while let month = progress.withLock({ $0.begin() }) {
                    try? verify(months[month]) { event in
                        progress.withLock { $0.add(event, of: month) }
                    }
                    progress.withLock { _ = $0.ended.insert(month) }
                    progress.signal()
                }
                progress.withLock { $0.threads -= 1 }
                progress.signal()
            }
        }
        defer { progress.wait { $0.threads == 0 ? () : nil } }
        for month in months.indices {
            var isEnd = false
            while !isEnd {
                // The events of the month that is verified now are reported before its end.
                progress.wait(atMost: .milliseconds(100)) { $0.ended.contains(month) ? () : nil }
                let due = progress.withLock { $0.take(month) }
                isEnd = due.isEnd
                for event in due.events where !report(event) {
                    progress.withLock { $0.isStopped = true }
                    throw VerifyStopped()
                }
            }
        }
    }
}
