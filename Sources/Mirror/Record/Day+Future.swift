package import APOD
package import FoundationEssentials
internal import Platform

/// Which days cannot have a picture: those in the future, and those on which NASA published nothing.
extension Day {
    /// Why no mirror can have this day, as a sentence without its end: `2030-01-01 is in the future`.
    ///
    /// `newest` is the newest day that is known. The result is `nil` if a mirror may have the day.
    package func absence(newest: Day?, at now: Date = Date()) -> String? {
        if Self.neverPublished.contains(self) { return "NASA published nothing on \(self)" }
        return isFuture(newest: newest, at: now) ? "\(self) is in the future" : nil
    }

    /// Whether the day is later than today, here and in UTC, and also later than `newest`, the newest day that is known.
    package func isFuture(newest: Day?, at now: Date = Date()) -> Bool {
        let knownDays = [Day(utcDateOf: now), Day(localTimeOf: now), newest].compactMap(\.self)
        guard let last = knownDays.max() else { return false }
        return self > last
    }

    /// The date of a moment in the time zone of this machine; `nil` before the first day of the archive.
    package init?(localTimeOf moment: Date) {
        self.init(iso: LocalTime(moment.timeIntervalSince1970).date)
    }
}
