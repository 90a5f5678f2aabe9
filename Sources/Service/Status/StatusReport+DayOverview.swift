internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

extension StatusReport {
    /// What the mirror has of each day: its files, compared with its records, and the state that the last sync saved.
    struct DayOverview {
        /// The saved state; a newest day in the future is replaced.
        private(set) var state: SyncState
        let newestWithFiles: Day?
        /// The days whose picture `--keep` removed.
        let removed: Set<Day>
        /// The days whose record names a picture or a video, and none of its files is here.
        private let lost: Set<Day>
        private let snapshot: TreeSnapshot
        private let recordedDays: RecordedDays

        /// What is known of a day: the first case that fits; see ``StatusReport/Days``.
        enum DayStatus {
            case withoutPicture, unknown, withFiles, missing
        }

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

        /// The days that `--since` and `--keep` ask for.
        var wanted: Set<Day> {
            guard let range = state.range else { return [] }
            return Set(range).subtracting(Day.neverPublished)
        }

        var all: Set<Day> { withFiles.union(wanted).union(state.retries.keys).union(lost) }

        /// The days with files of which something is requested again, newest first.
        var partial: [IncompleteDay] {
            let days = withFiles.filter { state.retries[$0]?.hasFiles == true }
            return days.sorted(by: >).map(incomplete).filter { $0.readError == nil }
        }

        /// Why the newest day with files is not known; `nil` if it is ``newestWithFiles``.
        var newestDayError: SystemError? {
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
