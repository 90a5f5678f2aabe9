package import APOD
internal import FoundationEssentials
package import Mirror
package import Platform

/// The days of a report, and what the mirror has of them.
extension StatusReport {
    /// The newest day, and the days of which the mirror lacks something.
    package struct Days: Sendable {
        /// The newest day with files; `nil` if no day has any, or if ``newestError`` is the reason why nobody knows it.
        package let newest: Day?
        package let newestError: SystemError?
        /// The days that the settings `--since` and `--keep` ask for.
        package let wanted: DayGroups
        /// The wanted days, the days that are retried, such as favorites, and older days that are here or whose files are gone.
        package let all: DayGroups
        /// The days with files of which another file or a better picture is requested again; newest first.
        package let partial: [IncompleteDay]
        /// The number of days whose picture or video `--keep` removed.
        package let removedCount: Int

        init(_ overview: DayOverview) {
            newestError = overview.newestError
            newest = newestError == nil ? overview.newestWithFiles : nil
            wanted = DayGroups(of: overview.wanted, in: overview)
            all = DayGroups(of: overview.all, in: overview)
            partial = overview.partial
            removedCount = overview.removed.count
        }
    }

    /// A day of which the mirror lacks a file or may lack one, and why.
    package struct IncompleteDay: Hashable, Sendable {
        package let day: Day
        package let retry: RetryState?
        /// The error because of which the day is unknown; `nil` if its directories and its record could be read.
        let readError: SystemError?
        /// Whether its record names a picture or a video, and none of its files is here.
        let isLost: Bool

        package var reason: String {
            if let readError { return readError.advice }
            if let retry { return retry.reason }
            return isLost ? "its files are gone" : "not tried yet"
        }
    }

    /// Some days, such as the wanted ones, grouped by what the mirror has of them.
    package struct DayGroups: Sendable {
        /// The number of days whose picture or video is here: ``DayState/hasFiles``.
        package private(set) var withFiles = 0
        /// The days without files that are requested again, or for the first time; newest first.
        package private(set) var missing: [IncompleteDay] = []
        /// The days that may be complete, because their directories or records cannot be read; newest first.
        package private(set) var unknown: [IncompleteDay] = []
        /// The days for which NASA published no picture, newest first.
        package private(set) var withoutPicture: [IncompleteDay] = []

        package var count: Int {
            withFiles + missing.count + unknown.count + withoutPicture.count
        }

        init(of days: Set<Day>, in overview: DayOverview) {
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

    /// What the mirror has of each day: its files, compared with its records, and the state that the last sync saved.
    struct DayOverview {
        /// What the mirror has of one day; ``status(of:)`` returns the first case, in this order, that applies.
        enum DayStatus {
            case withoutPicture, unknown, withFiles, missing
        }

        /// The saved state; a newest day in the future is replaced.
        private(set) var state: SyncState
        let newestWithFiles: Day?
        /// The days whose picture `--keep` removed.
        let removed: Set<Day>
        /// The days whose record names a picture or a video, and none of its files is here.
        private let lost: Set<Day>
        private let snapshot: TreeSnapshot
        private let recordedDays: RecordedDays

        init(
            of snapshot: TreeSnapshot, in store: Store, _ savedState: SyncState,
            at now: Date, built: Date
        ) throws {
            self.snapshot = snapshot
            recordedDays = try store.recordedDays(in: snapshot)
            let withFiles = recordedDays.withFiles
            state = savedState
            let dates = try store.plausibleDates(state, recorded: withFiles, at: now, built: built)
            // A wrong clock or a wrong entry may have recorded a day in the future.
            if let newest = state.newest, !dates.contains(newest) {
                state.newest = state.newest(of: withFiles, within: dates)
            }
            newestWithFiles = state.newest(of: withFiles, within: dates)
            let gone = try store.daysWithoutRecordedFiles(in: snapshot, daysWithFiles: withFiles)
            removed = gone.removed
            // A file that a person has edited is not gone.
            lost = gone.lost.subtracting(recordedDays.editedFiles.keys)
        }

        var withFiles: Set<Day> { recordedDays.withFiles }
        var recordedBytes: Int { recordedDays.bytes(in: snapshot) }

        var wanted: Set<Day> {
            guard let range = state.range else { return [] }
            return Set(range).subtracting(Day.neverPublished)
        }

        var all: Set<Day> { withFiles.union(wanted).union(state.retries.keys).union(lost) }

        var partial: [IncompleteDay] {
            let days = withFiles.filter { state.retries[$0]?.hasFiles == true }
            return days.sorted(by: >).map(incomplete).filter { $0.readError == nil }
        }

        /// Why the newest day with files is not known; `nil` if it is ``newestWithFiles``.
        var newestError: SystemError? {
            guard let newestWithFiles else { return snapshot.readErrors.first }
            guard let newestAtNASA = state.newest, newestAtNASA > newestWithFiles else {
                return nil
            }
            // A later day may be here, too.
            let laterDays = (newestWithFiles...newestAtNASA).dropFirst()
            return laterDays.lazy.compactMap(readError).first
        }

        func status(of day: Day) -> DayStatus {
            let hasFiles = withFiles.contains(day)
            if state.retries[day]?.hasNoPicture == true, !hasFiles { return .withoutPicture }
            if readError(of: day) != nil { return .unknown }
            return hasFiles ? .withFiles : .missing
        }

        /// The error because of which nobody knows what the mirror has of `day`; `nil` if that is known.
        private func readError(of day: Day) -> SystemError? {
            recordedDays.doubt(about: day, in: snapshot)
        }

        func incomplete(_ day: Day) -> IncompleteDay {
            IncompleteDay(
                day: day, retry: state.retries[day], readError: readError(of: day),
                isLost: lost.contains(day))
        }
    }
}
