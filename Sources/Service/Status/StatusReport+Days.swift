package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

/// The days of a report, sorted by what the mirror has of them.
extension StatusReport {
    /// A day of which the mirror lacks a file or may lack one, and why.
    package struct IncompleteDay: Hashable, Sendable {
        package let day: Day
        let retry: RetryState?
        /// The error because of which the day is unknown; `nil` if its directories and its record could be read.
        let readError: SystemError?
        /// Whether its record names a picture or a video, and none of its files is here.
        let isLost: Bool

        package var cause: RetryState.Cause? { retry?.cause }
        package var reason: String {
            if let readError { return readError.advice }
            if let retry { return retry.reason }
            return isLost ? "its files are gone" : "not tried yet"
        }
        package var attempts: Int { retry?.attempts ?? 0 }
        package var next: Date? { retry?.next }
    }

    package struct Days: Sendable {
        /// The number of days whose picture or video is here: ``DayState/hasFiles``.
        package private(set) var withFiles = 0
        /// Newest first.
        package private(set) var missing: [IncompleteDay] = []
        /// The days that may be complete, because their directories or records cannot be read; newest first.
        package private(set) var unknown: [IncompleteDay] = []
        /// The days for which NASA published no picture, newest first.
        package private(set) var withoutPicture: [IncompleteDay] = []

        package var count: Int {
            withFiles + missing.count + unknown.count + withoutPicture.count
        }

        init(_ days: Set<Day>, in overview: DayOverview) {
            for day in days.sorted(by: >) {
                switch overview.status(of: day) {
                case .withFiles: withFiles += 1
                case .withoutPicture: withoutPicture.append(overview.incomplete(day))
                case .unknown: unknown.append(overview.incomplete(day))
                case .missing: missing.append(overview.incomplete(day))
                }
            }
        }
    }
}
