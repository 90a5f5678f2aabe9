package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

extension StatusReport {
    /// A day that lacks a file: it is missing or partial, or NASA published no picture for it.
    package struct IncompleteDay: Hashable, Sendable {
        package let day: Day
        /// The result of the last attempt; `nil` if the day was not tried yet.
        let retry: RetryState?
        /// Why it is not known what the mirror has of the day; `nil` if that is known.
        let readError: SystemError?

        package var cause: RetryState.Cause? { retry?.cause }
        package var reason: String {
            readError.map { "\($0)" } ?? retry?.reason ?? "not tried yet"
        }
        package var attempts: Int { retry?.attempts ?? 0 }
        package var next: Date? { retry?.next }
    }

    /// Days by what the mirror has of them.
    package struct Days: Sendable {
        /// The number of days whose picture or video is here: ``DayState/hasFiles``.
        package let withFiles: Int
        /// Newest first.
        package let missing: [IncompleteDay]
        /// The days for which NASA published no picture, newest first.
        package let withoutPicture: [IncompleteDay]

        package var count: Int { withFiles + missing.count + withoutPicture.count }

        init(
            _ days: Set<Day>, withFiles: Set<Day>, retries: [Day: RetryState],
            in snapshot: TreeSnapshot
        ) {
            let incomplete = days.subtracting(withFiles).sorted(by: >).map {
                IncompleteDay(day: $0, retry: retries[$0], readError: snapshot.readError(of: $0))
            }
            self.withFiles = days.count - incomplete.count
            missing = incomplete.filter { $0.retry?.hasNoPicture != true }
            withoutPicture = incomplete.filter { $0.retry?.hasNoPicture == true }
        }
    }
}
