package import APOD
package import FoundationEssentials
internal import Mirror
internal import Platform

/// Why no mirror can have a day.
package enum DayAbsence: Hashable, Sendable, CustomStringConvertible {
    case future(Day)
    case neverPublished(Day)

    /// The absence of `day`; `nil` if a mirror may have it.
    ///
    /// A day is in the future if it is later than `newest`, the newest day that is known, and than today, both here
    /// and in UTC.
    package init?(of day: Day, newest: Day?, at now: Date = Date()) {
        if Day.neverPublished.contains(day) {
            self = .neverPublished(day)
            return
        }
        let last = [Day(utcDateOf: now), Day(localTimeOf: now), newest].compactMap(\.self).max()
        guard let last, day > last else { return nil }
        self = .future(day)
    }

    package var description: String {
        switch self {
        case .future(let day): "\(day) is in the future"
        case .neverPublished(let day): "NASA published nothing on \(day)"
        }
    }
}

extension Day {
    /// The date of a moment in the time zone of this machine; `nil` before the first day of the archive.
    init?(localTimeOf moment: Date) {
        self.init(iso: LocalTime(moment.timeIntervalSince1970).date)
    }
}
