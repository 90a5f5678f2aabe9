package import APOD

/// All that a simulated NASA has, published or not.
package struct Archive: Sendable {
    package private(set) var entries: [Day: SimulatedEntry]

    /// An archive of `entries`; the later one of two for the same day counts.
    package init(_ entries: [SimulatedEntry] = []) {
        self.entries = Dictionary(entries.map { ($0.day, $0) }) { _, later in later }
    }

    /// Its days in order.
    package var days: [Day] { entries.keys.sorted { $0.number < $1.number } }
}
