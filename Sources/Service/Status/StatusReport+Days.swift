package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

extension StatusReport {
    /// A day that lacks a file, or may lack one: it is missing, unknown or partial, or NASA published no picture for it.
    package struct IncompleteDay: Hashable, Sendable {
        package let day: Day
        /// The result of the last attempt; `nil` if the day was not tried yet.
        let retry: RetryState?
        /// The error because of which the day is unknown; `nil` if its directories and its record could be read.
        let readError: SystemError?
        /// Whether its record names a picture or a video, and none of its files is here.
        var isLost = false

        package var cause: RetryState.Cause? { retry?.cause }
        package var reason: String {
            readError?.advice ?? retry?.reason
                ?? (isLost ? "its files are gone" : "not tried yet")
        }
        package var attempts: Int { retry?.attempts ?? 0 }
        package var next: Date? { retry?.next }
    }

    /// Days by what the mirror has of them.
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

        init(
            _ days: Set<Day>, withFiles: Set<Day>, lost: Set<Day>, retries: [Day: RetryState],
            doubt: (Day) -> SystemError?
        ) {
            for day in days.sorted(by: >) {
                let (retry, error) = (retries[day], doubt(day))
                let incomplete = IncompleteDay(
                    day: day, retry: retry, readError: error, isLost: lost.contains(day))
                if retry?.hasNoPicture == true, !withFiles.contains(day) {
                    withoutPicture.append(incomplete)
                } else if error != nil {
                    unknown.append(incomplete)
                } else if withFiles.contains(day) {
                    self.withFiles += 1
                } else {
                    missing.append(incomplete)
                }
            }
        }
    }
}
