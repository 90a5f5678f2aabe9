internal import APOD
internal import Mirror
internal import Platform
internal import Thumbnails

/// Runs the command of `--on-new` for each new newest day, once all views show it; a daemon beside all else, a single sync
/// at its end.
///
/// The command runs at most twice for a day, the second time only after a failure, with the next sync: each time is recorded
/// before it starts. It may contain passwords: no file and no message has it.
struct NewDayService: Sendable {
    /// What may let the command start: the views were updated, or a sync begins.
    private struct Reason: OptionSet {
        let rawValue: Int
        static let (views, sync) = (Reason(rawValue: 1), Reason(rawValue: 2))
    }

    let command: String
    let thumbnails: Thumbnails?
    let store: Store
    let log: Log
    let changes: ChangeBroadcaster
    private let reasons = CoalescingSignal<Reason>()

    func viewsDidUpdate() { reasons.send(.views) }
    func syncWillBegin() { reasons.send(.sync) }

    func run() async throws {
        while true {
            if await runIfDue(mayRepeat: try await reasons.next().contains(.sync)) {
                // A sync that began meanwhile is not the next one after a failure; a newer day may be here.
                _ = reasons.receive()
                reasons.send(.views)
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

    /// Logs how the command ended, which printed `text`; without an `ending`, it was killed.
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

    /// What was recorded; if nothing was, as the option is new, the newest day that is here needs no command.
    func recorded() throws(SystemError) -> NewDayState {
        if let state: NewDayState = try store.tree.state(at: Layout.newDay) { return state }
        let state = NewDayState(day: try store.dayShownAsLatest(), stage: .done)
        try store.write(state, to: Layout.newDay)
        return state
    }

    // MARK: The command

    /// Runs the command as a variable, because all users see arguments, in the directory of the mirror.
    private func runCommand(
        for record: DayRecord
    ) async throws -> (ending: ChildProcess.Ending?, output: [UInt8]) {
        if let picture = record.picture, thumbnails?.isAvailable == true,
            Rendition.isUseful(of: picture)
        {
            // `ThumbnailService` may make it, too, and reports why it cannot be made.
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

    /// The beginning of what the command printed, without lines that repeat one of the command, as bash does for a syntax
    /// error.
    private func withoutCommand(_ output: [UInt8]) -> String {
        // Of a long line, the output may have the beginning only; a shorter one may be in any text.
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

    /// The variables of a day: foreign text in one line each, empty if the day lacks it.
    private func variables(of record: DayRecord) -> [String: String] {
        let (entry, day, root) = (record.entry, record.entry.day, store.tree.root)
        func line(_ text: String?) -> String { (text ?? "").printableLine.cut(to: 4095) }
        // A part of a path or an address would lead elsewhere.
        func place(_ text: String?) -> String { line(text) == text ? line(text) : "" }
        func path(_ name: String?) -> String { place(name.map { "\(root.path)/\($0)" }) }
        let jpeg = [Rendition.path(of: day), Layout.thumbnail(of: day)].first {
            Thumbnails.originalSHA256(storedIn: $0, in: root) == record.picture?.sha256
        }
        return [
            "APOD_COMMAND": command,
            // Messengers take no longer lines.
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

/// The day for which the command ran last: the contents of `new-day.json`; if it is deleted, the newest day counts as done.
struct NewDayState: Codable {
    enum Stage: String, Codable {
        /// The first attempt began, or the second and last.
        case first, second
        /// The command succeeded, or must not run for the day.
        case done
    }

    /// `nil` if none was here when the option was first used.
    let day: Day?
    let stage: Stage

    /// What is to be recorded before the command runs for `day`; `nil` if it must not run.
    fileprivate func attempt(for day: Day, mayRepeat: Bool) -> NewDayState? {
        if self.day.map({ $0 < day }) ?? true { return NewDayState(day: day, stage: .first) }
        guard day == self.day, stage == .first, mayRepeat else { return nil }
        return NewDayState(day: day, stage: .second)
    }

    /// Records that `day`, which a command of a person brought, is not new; nothing where `--on-new` was never used.
    static func skip(_ day: Day, in store: Store) throws {
        let state: NewDayState? = try store.tree.state(at: Layout.newDay)
        guard state?.attempt(for: day, mayRepeat: false) != nil else { return }
        try store.write(NewDayState(day: day, stage: .done), to: Layout.newDay)
    }
}
