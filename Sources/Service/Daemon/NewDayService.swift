internal import APOD
internal import Mirror
internal import Platform
internal import Thumbnails

/// Runs the command of `--on-new` for each new newest day, once all views show that day.
///
/// The daemon calls ``run()``, and a single sync calls ``runIfDue(mayRepeat:)`` at its end. The command runs once for a
/// day; if it fails, it runs once more with the next sync. Each start is recorded before the command runs, so that a killed
/// daemon does not repeat it without end. The command may contain passwords: no file and no message has it.
struct NewDayService: Sendable {
    private struct Reason: OptionSet {
        let rawValue: Int
        static let viewsUpdated = Reason(rawValue: 1)
        static let syncBegins = Reason(rawValue: 2)
    }

    let command: String
    let thumbnails: Thumbnails?
    let store: Store
    let log: Log
    let changes: ChangeBroadcaster
    private let reasons = CoalescingSignal<Reason>()

    func viewsDidUpdate() { reasons.send(.viewsUpdated) }
    func syncWillBegin() { reasons.send(.syncBegins) }

    func run() async throws {
        while true {
            if await runIfDue(mayRepeat: try await reasons.next().contains(.syncBegins)) {
                // A sync that began while the command ran is no reason to repeat it. But a newer day may have come meanwhile.
                _ = reasons.receive()
                reasons.send(.viewsUpdated)
            }
        }
    }

    /// Runs the command if the newest day is new; returns whether it ran.
    ///
    /// If the first attempt for this day has failed, the command runs again only if it `mayRepeat`.
    @discardableResult func runIfDue(mayRepeat: Bool = true) async -> Bool {
        do {
            guard !Task.isCancelled, let record = try shownRecord(),
                let attempt = try recordedState()
                    .nextAttempt(for: record.entry.day, mayRepeat: mayRepeat)
            else { return false }
            try store.write(attempt, to: Layout.newDay)
            let (ending, output) = try await runCommand(for: record)
            if ending == .exit(code: 0) {
                try store.write(NewDayState(day: attempt.day, stage: .done), to: Layout.newDay)
            }
            report(ending, of: attempt, for: record.entry.day, output: withoutCommand(output))
            return true
        } catch {
            log.warning("--on-new: \(error)")
            return false
        }
    }

    /// Logs how the command ended, and what it printed; `ending` is `nil` if this program killed it.
    private func report(
        _ ending: ChildProcess.Ending?, of attempt: NewDayState, for day: Day, output: String
    ) {
        let subject = "for \(day)\(output.isEmpty ? "" : ": \(output)")"
        guard ending != .exit(code: 0) else { return log.info("--on-new: done, \(subject)") }
        let reason = Task.isCancelled ? "stopped" : "no end in 60 s"
        let next = attempt.stage == .first ? "again with the next sync" : "not again"
        log.warning("--on-new: \(ending.map { "\($0)" } ?? reason), \(next), \(subject)")
    }

    /// The record of NASA's newest day; `nil` until all views show that day.
    private func shownRecord() throws(SystemError) -> DayRecord? {
        let newest = try store.state().newest
        guard let newest, try store.dayInLatestRecord() == newest else { return nil }
        return try store.record(of: newest)
    }

    /// If `--on-new` was never used, records that the newest day which is here now needs no command.
    ///
    /// An error is ignored here, because ``runIfDue(mayRepeat:)`` reads the state again and reports it.
    func recordPresentDayAsDone() { _ = try? recordedState() }

    /// The recorded state; if `--on-new` was never used, first records that the present newest day is done.
    private func recordedState() throws(SystemError) -> NewDayState {
        if let state: NewDayState = try store.tree.state(at: Layout.newDay) { return state }
        let state = NewDayState(day: try store.dayInLatestRecord(), stage: .done)
        try store.write(state, to: Layout.newDay)
        return state
    }

    /// Runs the command in the mirror's directory; the shell gets it in a variable, because all users can see arguments.
    private func runCommand(
        for record: DayRecord
    ) async throws -> (ending: ChildProcess.Ending?, output: [UInt8]) {
        if let picture = record.picture, thumbnails?.isAvailable == true,
            Rendition.isWorthMaking(of: picture)
        {
            // A failure is not reported here: `ThumbnailService` tries the same, and reports it.
            await thumbnails?.make([JPEGJob(renditionOf: record.entry.day)]) {
                if case .success = $1 { changes.broadcast(.thumbnails) }
            }
        }
        let shell = ExternalProgram("sh", ["-c", "eval \"$APOD_COMMAND\""], in: "/bin")
        let inherited = ["PATH", "HOME", "LANG", "DBUS_SESSION_BUS_ADDRESS"]
        let environment = processEnvironment()
            .filter { inherited.contains($0.key) || $0.key.hasPrefix("XDG_") }
            .merging(variables(of: record)) { $1 }
        // A shell ends with 127 if it does not find a command.
        return try await shell?.run(
            environment, in: store.tree.root.path, ownGroup: true, outputLimit: 65_536,
            within: .seconds(60)) ?? (.exit(code: 127), [])
    }

    /// The beginning of what the command printed, without lines of the command itself.
    ///
    /// A shell prints the line in which it finds a syntax error, and this line may contain a password.
    private func withoutCommand(_ output: [UInt8]) -> String {
        // Only the beginning of a line is sought, because the output may be cut. A very short line may be in any text.
        let starts = command.split(whereSeparator: \.isNewline)
            .map { (line: Substring) in String(line.drop { $0 == " " }.prefix(40)) }
            .filter { $0.count >= 6 }
        return String(decoding: output, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { (line: Substring) in
                starts.contains { line.contains($0) }
                    ? "(a line that repeats the command)" : String(line)
            }
            .joined(separator: "\n").cut(to: 1000)
    }

    /// The variables that describe a day; a variable has one line, and is empty if the day lacks the text.
    private func variables(of record: DayRecord) -> [String: String] {
        let entry = record.entry
        let day = entry.day
        let root = store.tree.root
        func line(_ text: String?) -> String { (text ?? "").printableLine.cut(to: 4095) }
        // A path or an address that is cut or changed would lead elsewhere: it is left out.
        func unchanged(_ text: String?) -> String { line(text) == text ? line(text) : "" }
        func path(_ name: String?) -> String { unchanged(name.map { "\(root.path)/\($0)" }) }
        let jpeg = [Rendition.path(of: day), Layout.thumbnail(of: day)].first {
            Thumbnails.originalSHA256(storedIn: $0, in: root) == record.picture?.sha256
        }
        return [
            "APOD_COMMAND": command,
            // Messengers accept no longer lines.
            "APOD_LINE": "\(day)  \(entry.title.excerpt)",
            "APOD_DATE": "\(day)",
            "APOD_TITLE": line(entry.title),
            "APOD_TEXT": line(entry.explanation),
            "APOD_CREDIT": line(entry.credit ?? entry.copyright),
            "APOD_PICTURE": record.picture == nil ? "" : path(jpeg),
            "APOD_ORIGINAL": path(record.mediaPath),
            "APOD_ARTICLE": unchanged(
                entry.permalink ?? "https://apod.nasa.gov/apod/ap\(day.compact).html"),
        ]
    }
}

/// The day for which the command of `--on-new` ran last: the contents of `new-day.json`.
///
/// If a person deletes the file, the command does not run for the newest day of that time.
struct NewDayState: Codable {
    enum Stage: String, Codable {
        /// The first attempt began.
        case first
        /// The second attempt, which is the last, began.
        case second
        /// The command succeeded, or must not run for the day.
        case done
    }

    /// `nil` if no day was here when the option was first used.
    let day: Day?
    let stage: Stage

    /// The state to record before the command runs for `newest`; `nil` if it must not run.
    fileprivate func nextAttempt(for newest: Day, mayRepeat: Bool) -> NewDayState? {
        guard let day, day >= newest else { return NewDayState(day: newest, stage: .first) }
        guard day == newest, stage == .first, mayRepeat else { return nil }
        return NewDayState(day: newest, stage: .second)
    }

    /// Records that `day` is not new, because a person downloaded it by a command; does nothing if `--on-new` was never used.
    static func skip(_ day: Day, in store: Store) throws {
        let state: NewDayState? = try store.tree.state(at: Layout.newDay)
        guard state?.nextAttempt(for: day, mayRepeat: false) != nil else { return }
        try store.write(NewDayState(day: day, stage: .done), to: Layout.newDay)
    }
}
