package import APOD
package import FoundationEssentials
internal import Mirror
internal import Platform

/// Why no mirror can have a day.
extension Day {
    /// A sentence without its end, such as `2030-01-01 is in the future`; `nil` if a mirror may have the day.
    package func absence(newest: Day?, at now: Date = Date()) -> String? {
        if Self.neverPublished.contains(self) { return "NASA published nothing on \(self)" }
        return isFuture(newest: newest, at: now) ? "\(self) is in the future" : nil
    }

    /// Whether the day is later than `newest`, the newest one that is known, and than today, both here and in UTC.
    package func isFuture(newest: Day?, at now: Date = Date()) -> Bool {
        let last = [Day(utcDateOf: now), Day(localTimeOf: now), newest].compactMap(\.self).max()
        return last.map { self > $0 } ?? false
    }

    /// The date of a moment in the time zone of this machine; `nil` before the first day of the archive.
    init?(localTimeOf moment: Date) {
        self.init(iso: LocalTime(moment.timeIntervalSince1970).date)
    }
}
