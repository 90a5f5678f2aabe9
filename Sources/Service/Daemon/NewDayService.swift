internal import APOD
internal import Mirror
internal import Platform
internal import Thumbnails

/// Runs the command of `--on-new` for each new newest day, once all views show that day.
///
/// The daemon calls ``run()``, and a single sync calls ``runIfDue(mayRepeat:)`` at its end. The command runs once for a
/// day, and once more with the next sync if it fails; each start is recorded before. The command may contain passwords: no
/// file and no message has it.
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
                // A sync that began while the command ran does not repeat it. A newer day may have come meanwhile.
                _ = reasons.receive()
                reasons.send(.viewsUpdated)
            }
        }
    }

    /// Runs the command if it is due, a second time only if it `mayRepeat`; returns whether it ran.
    @discardableResult func runIfDue(mayRepeat: Bool = true) async -> Bool {
        do {
            guard !Task.isCancelled, let record = try shownRecord(),
                let attempt = try recorded().attempt(for: record.entry.day, mayRepeat: mayRepeat)
            else { return false }
            try store.write(attempt, to: Layout.newDay)
            let (ending, output) = try await runCommand(for: record)
            if ending == .exit(code: 0) {
                try store.write(NewDayState(day: attempt.day, stage: .done), to: Layout.newDay)
            }
            report(ending, of: attempt, for: record.entry.day, withoutCommand(output))
            return true
        } catch {
            log.warning("--on-new: \(error)")
            return false
        }
    }

    /// Logs how the command ended, and the `text` that it printed; `ending` is `nil` if it was killed.
    private func report(
        _ ending: ChildProcess.Ending?, of attempt: NewDayState, for day: Day, _ text: String
    ) {
        let subject = "for \(day)\(text.isEmpty ? "" : ": \(text)")"
        guard ending != .exit(code: 0) else { return log.info("--on-new: done, \(subject)") }
        let reason = Task.isCancelled ? "stopped" : "no end in 60 s"
        let next = attempt.stage == .first ? "again with the next sync" : "not again"
        log.warning("--on-new: \(ending.map { "\($0)" } ?? reason), \(next), \(subject)")
    }

    // MARK: The state

    /// The record of NASA's newest day; `nil` if not all views show it.
    private func shownRecord() throws(SystemError) -> DayRecord? {
        let newest = try store.state().newest
        guard let newest, try store.dayShownAsLatest() == newest else { return nil }
        return try store.record(of: newest)
    }

    /// Lets the newest day that is here count as done if `--on-new` was never used.
    ///
    /// An error is ignored here, because ``runIfDue(mayRepeat:)`` reads the state again and reports it.
    func skipDaysSoFar() { _ = try? recorded() }

    /// The recorded state; if there is none, because `--on-new` is new, the newest day that is here counts as done.
    private func recorded() throws(SystemError) -> NewDayState {
        if let state: NewDayState = try store.tree.state(at: Layout.newDay) { return state }
        let state = NewDayState(day: try store.dayShownAsLatest(), stage: .done)
        try store.write(state, to: Layout.newDay)
        return state
    }

    // MARK: The command

    /// Runs the command in the directory of the mirror; it is a variable of the shell, because all users see arguments.
    private func runCommand(
        for record: DayRecord
    ) async throws -> (ending: ChildProcess.Ending?, output: [UInt8]) {
        if let picture = record.picture, thumbnails?.isAvailable == true,
            Rendition.isUseful(of: picture)
        {
            // `ThumbnailService`, which may make the rendition, too, reports why it cannot be made.
            await thumbnails?.make([JPEGJob(renditionOf: record.entry.day)]) {
                if case .success = $1 { changes.broadcast(.thumbnails) }
            }
        }
        let shell = ExternalProgram("sh", ["-c", "eval \"$APOD_COMMAND\""], in: "/bin")
        let kept = ["PATH", "HOME", "LANG", "DBUS_SESSION_BUS_ADDRESS"]
        let environment = processEnvironment()
            .filter { kept.contains($0.key) || $0.key.hasPrefix("XDG_") }
            .merging(variables(of: record)) { $1 }
        return try await shell?.run(
            environment, in: store.tree.root.path, ownGroup: true, outputLimit: 65_536,
            within: .seconds(60)) ?? (.exit(code: 127), [])
    }

    /// The beginning of what the command printed, without lines of the command itself.
    ///
    /// A shell repeats the line of a syntax error, which may contain a password.
    private func withoutCommand(_ output: [UInt8]) -> String {
        // The output may have only the beginning of a long line. A very short line may be in any text.
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

    /// The variables that describe a day, each on one line; a variable is empty if the day lacks the text.
    private func variables(of record: DayRecord) -> [String: String] {
        let entry = record.entry
        let day = entry.day
        let root = store.tree.root
        func line(_ text: String?) -> String { (text ?? "").printableLine.cut(to: 4095) }
        // A cut path or address would lead elsewhere.
        func place(_ text: String?) -> String { line(text) == text ? line(text) : "" }
        func path(_ name: String?) -> String { place(name.map { "\(root.path)/\($0)" }) }
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
            "APOD_ARTICLE": place(
                entry.permalink ?? "https://apod.nasa.gov/apod/ap\(day.compact).html"),
        ]
    }
}

/// The day for which the command ran last: the contents of `new-day.json`.
///
/// If the file is deleted, the newest day counts as done.
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

    /// What is to be recorded before the command runs for `newest`; `nil` if it must not run.
    fileprivate func attempt(for newest: Day, mayRepeat: Bool) -> NewDayState? {
        guard let day, day >= newest else { return NewDayState(day: newest, stage: .first) }
        guard day == newest, stage == .first, mayRepeat else { return nil }
        return NewDayState(day: newest, stage: .second)
    }

    /// Records that `day` is not new, because a command of a person downloaded it; does nothing if `--on-new` was never used.
    static func skip(_ day: Day, in store: Store) throws {
        let state: NewDayState? = try store.tree.state(at: Layout.newDay)
        guard state?.attempt(for: day, mayRepeat: false) != nil else { return }
        try store.write(NewDayState(day: day, stage: .done), to: Layout.newDay)
    }
}
