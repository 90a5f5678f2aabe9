internal import APOD
internal import Mirror
internal import Platform

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

    /// Whether the command ran for a day later than NASA's `newest` day: NASA has corrected the date of its entry.
    ///
    /// The command must run again for that later day when NASA publishes it, but not for `newest`: it ran for that entry.
    func hasLaterDay(than newest: Day) -> Bool {
        if let day { day > newest } else { false }
    }

    /// The state to record before the command runs for `newest`; `nil` if it must not run.
    func nextAttempt(for newest: Day, mayRepeat: Bool) -> NewDayState? {
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
