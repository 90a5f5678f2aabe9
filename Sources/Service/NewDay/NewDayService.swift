internal import APOD
internal import Mirror
internal import Platform
internal import Thumbnails

/// Runs the command of `--on-new` for each new newest day, once the gallery and all other views show that day.
///
/// The daemon calls ``run()``, and a single sync calls ``runIfDue(showing:mayRepeat:)`` before its first request and at its end.
/// The command runs once for a day; if it fails, it runs once more when the next sync begins. Each start is recorded before the
/// command runs, so that a daemon that is killed meanwhile does not run it again and again. The command may contain passwords:
/// it is written into no file and no message.
struct NewDayService: Sendable {
    /// When the command may be due.
    private struct Occasion: OptionSet {
        let rawValue: Int
        static let viewsUpdated = Occasion(rawValue: 1)
        static let syncBegan = Occasion(rawValue: 2)
    }

    let command: String
    let thumbnails: Thumbnails?
    let store: Store
    let log: Log
    let changes: ChangeBroadcaster
    /// The day of `latest.json` at the start; `nil` if there was none, or if it could not be read.
    let dayAtStart: Day?
    private let occasions = CoalescingSignal<Occasion>()
    /// The newest day that the views show.
    private let shownDay = SharedValue<Day?>(nil)

    func viewsDidUpdate(showing day: Day?) {
        // After an update that failed before this was known, the day of the last one counts.
        if let day { shownDay.withLock { $0 = day } }
        occasions.send(.viewsUpdated)
    }

    func syncDidBegin() { occasions.send(.syncBegan) }

    func run() async throws {
        while true {
            let occasion = try await occasions.next()
            let day = shownDay.withLock(\.self)
            if await runIfDue(showing: day, mayRepeat: occasion.contains(.syncBegan)) {
                // A sync that began while the command ran is no reason to repeat it. But a newer day may have come meanwhile.
                _ = occasions.receive()
                occasions.send(.viewsUpdated)
            }
        }
    }

    /// Runs the command if NASA's newest day is new, and is the `shownDay` of the views; returns whether it ran.
    ///
    /// The newest day is not read from `latest.json`, because a person may have put another file there. If the first attempt for
    /// the newest day has failed, the command runs again only if it `mayRepeat`.
    @discardableResult func runIfDue(showing shownDay: Day?, mayRepeat: Bool) async -> Bool {
        do {
            guard !Task.isCancelled, let day = try store.knownState().newest,
                let record = try store.record(of: day)
            else { return false }
            let state = try loadOrCreateState()
            // If an attempt for the day began, the views showed the day then.
            guard day == shownDay || state.day == day else { return false }
            if state.hasLaterDay(than: day) {
                try recordAsDone(day)
                return false
            }
            guard let attempt = state.nextAttempt(for: day, mayRepeat: mayRepeat) else {
                return false
            }
            try await begin(attempt, for: record)
            return true
        } catch {
            log.warning("--on-new: \(error)")
            return false
        }
    }

    /// Records that `attempt` began, and runs the command for the day of `record`.
    private func begin(_ attempt: NewDayState, for record: DayRecord) async throws {
        let day = record.entry.day
        try store.write(attempt, to: Layout.newDay)
        await makeRendition(of: record)
        let (ending, output) = try await NewDayCommand(
            script: command, record: record, root: store.tree.root
        ).run()
        if ending == .exit(code: 0) { try recordAsDone(day) }
        report(ending, of: attempt, for: day, output: output)
    }

    private func recordAsDone(_ day: Day) throws(SystemError) {
        try store.write(NewDayState(day: day, stage: .done), to: Layout.newDay)
    }

    /// Makes the smaller copy of a large picture, of which the command gets the path.
    private func makeRendition(of record: DayRecord) async {
        guard let picture = record.picture, let thumbnails, thumbnails.isAvailable,
            Rendition.isWorthMaking(of: picture)
        else { return }
        // A failure is not reported here: `ThumbnailService` tries the same, and reports it.
        await thumbnails.make([JPEGJob(renditionOf: record.entry.day)]) {
            if case .success = $1 { changes.broadcast(.thumbnails) }
        }
    }

    /// Logs how the command ended, and what it printed; `ending` is `nil` if this program killed it.
    private func report(
        _ ending: ChildProcess.Ending?, of attempt: NewDayState, for day: Day, output: String
    ) {
        let subject = "for \(day)\(output.isEmpty ? "" : ": \(output)")"
        if ending == .exit(code: 0) { return log.info("--on-new: done, \(subject)") }
        let killed = Task.isCancelled ? "stopped" : "no end in 60 s"
        let reason = ending.map { "\($0)" } ?? killed
        let next = attempt.stage == .first ? "again with the next sync" : "not again"
        log.warning("--on-new: \(reason), \(next), \(subject)")
    }

    /// If `--on-new` was never used, records that ``dayAtStart`` needs no command.
    ///
    /// After an error, ``runIfDue(showing:mayRepeat:)`` tries the same again, and reports it.
    func recordPresentDayAsDone() { _ = try? loadOrCreateState() }

    /// Reads the state; if `--on-new` was never used, first records that ``dayAtStart`` is done.
    private func loadOrCreateState() throws(SystemError) -> NewDayState {
        if let state: NewDayState = try store.tree.state(at: Layout.newDay) { return state }
        let state = NewDayState(day: dayAtStart, stage: .done)
        try store.write(state, to: Layout.newDay)
        return state
    }
}
