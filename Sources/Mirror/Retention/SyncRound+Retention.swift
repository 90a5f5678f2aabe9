internal import APOD
internal import Platform

/// What `--keep` does in a sync: at the end of the sync, the files of days that are too old are deleted.
///
/// They are downloaded again if a later setting, more space, or a new favorite keeps the day.
extension SyncRound {
    /// Deletes old favorites in the trash, then the files of the oldest days, as far as `--keep` does not keep them.
    ///
    /// If that fails, the files stay until the next sync, which tries again. Only a full disk is an obstacle.
    func applyRetention() {
        guard let newest = state.nextState.newest else { return }
        attempt(isObstacle: false) { try emptyTrash(newest: newest) }
        attempt(isObstacle: false) { try removeDays(newest: newest) }
    }

    /// Records that removed files of kept days are at their paths again, so that NASA is not asked for them.
    func recordReturnedFiles() {
        let claims = synchronizer.store.claims
        for day in state.recordedAtStart.withReturnedFiles
        where !state.isExcluded(day) && state[day].work == .none && !Task.isCancelled {
            guard claims.claim(day) else { continue }
            defer { claims.release(day) }
            attempt(isObstacle: false) { try recordReturnedFiles(of: day) }
        }
    }

    private func recordReturnedFiles(of day: Day) throws {
        let publisher = DayPublisher(store: synchronizer.store, day: day)
        guard try publisher.publishReturnOfFiles() else { return }
        apply(EntryOutcome(day, didPublish: true, .unchanged))
        // The picture came without the video that was removed with it.
        let isWanted =
            state.range?.contains(day) == true || synchronizer.scannedFavorites().contains(day)
        guard synchronizer.options.downloadsVideos, isWanted else { return }
        try state.makeVideoDue(day, at: synchronizer.now())
        state.markPartialFavorites()
        if state[day].state.retry != nil { state[day].work = .none }
    }

    private func emptyTrash(newest: Day) throws {
        guard state.mayRemoveByDate, let today = state.dates.today else { return }
        // A clock that is ahead would empty the trash too early. So the date is at most that of NASA's newest day.
        // mutation test: trash-clock (see Tests/Mutants)
        try synchronizer.store.emptyTrash(on: min(today, newest))
    }

    private func removeDays(newest: Day) throws {
        guard !Task.isCancelled, let (plan, limit) = removalPlan(newest: newest) else { return }
        if let text = plan.excess(over: synchronizer.options.keep) { report(.problem(text)) }
        // A removal whose record could not be published comes first: at most one deleted picture may lack its record.
        // mutation test: unfinished-removal (see Tests/Mutants)
        guard try plan.removals.isEmpty || synchronizer.store.finishPublications() else { return }
        let problems = problemsOfMonths(of: plan.removals)
        var stayingDays = StayingDays()
        defer { reportStayingDays(stayingDays) }
        for day in plan.removals where state.summary.removed < limit && !Task.isCancelled {
            if let problem = problems[Month(of: day)] {
                stayingDays.failures.append((day, problem.reason))
                continue
            }
            switch try removeDay(day) {
            case .removed(let bytes): apply(EntryOutcome(day, .removed(bytes: bytes)))
            case .changedFile(let path): stayingDays.changedFiles.append(path)
            case .failed(let reason): stayingDays.failures.append((day, reason))
            case .notNow: break
            }
        }
    }

    private enum RemovalResult {
        case removed(bytes: Int)
        /// The day stays, because a person has changed the file at this path.
        case changedFile(String)
        /// The day stays for a reason that a person reads.
        case failed(String)
        /// The day stays, and nobody needs to know: it has no file to remove, or a verification reads it at the moment.
        case notNow
    }

    /// Removes the files of `day`.
    ///
    /// - Throws: ``SystemError`` because of which no further day may be removed.
    private func removeDay(_ day: Day) throws(SystemError) -> RemovalResult {
        let store = synchronizer.store
        guard store.claims.claim(day) else { return .notNow }
        defer { store.claims.release(day) }
        let publisher = DayPublisher(store: store, day: day)
        var begunRemoval: DayRecord?
        do throws(SystemError) {
            switch try publisher.makeRemoval(at: synchronizer.now()) {
            case .possible(let record, let earlier, let bytes):
                begunRemoval = record
                try publisher.publish(record, after: earlier)
                return .removed(bytes: bytes)
            case .changedFile(let path): return .changedFile(path)
            case .refused: return .notNow
            }
        } catch {
            if let begunRemoval {
                // If a file is gone without a record of that, this must not happen to another day.
                guard publisher.takeBack(begunRemoval), error.isAboutOneFile else { throw error }
            }
            guard !error.concernsEveryFile, !error.isReadOnly else { throw error }
            return .failed(store.tree.advice(about: error))
        }
    }

    /// The days that stay although they are too old.
    private struct StayingDays {
        var failures: [(day: Day, reason: String)] = []
        /// The paths of files that a person has changed.
        var changedFiles: [String] = []
    }

    /// Reports the days that stay: one sentence names the first of them, and their number.
    private func reportStayingDays(_ days: StayingDays) {
        if let (day, reason) = days.failures.first {
            let count = days.failures.count
            let subject = count == 1 ? "the day" : "\(count) days, such as"
            reportFailure("--keep cannot remove \(subject) \(day): \(reason)")
        }
        if let path = days.changedFiles.first {
            let count = days.changedFiles.count
            let others = count == 1 ? "" : " and \(count - 1) more"
            report(
                .notice(
                    "--keep leaves the changed file \(path)\(others); the day is removed after the monthly verification, or"
                        + " “apod-mirror verify --repair”, has restored the original"))
        }
    }

    /// The days that `--keep` removes, and how many of them now; `nil` if nothing may be removed, or if that is not certain.
    private func removalPlan(newest: Day) -> (plan: RetentionPlan, limit: Int)? {
        guard synchronizer.options.keep != .all, state.summary.obstacle == nil,
            state.mayRemoveByDate
        else { return nil }
        do {
            // Read now, because a day may have become a favorite or the newest one during the sync.
            var protected = try synchronizer.favorites()
                .union(state.days { $0.isUrgent || $0.work == .underWay })
            if let day = try synchronizer.store.tree.latestPictureDay { protected.insert(day) }
            if let shown = state.nextState.newest(of: state.daysWithFiles, within: state.dates) {
                protected.insert(shown)
            }
            let plan = try state.retention.plan(newest: newest, protected: protected)
            let allowance = state.retention.allowance(
                for: plan, ofDays: state.daysWithFiles.count, at: synchronizer.now())
            return (plan, allowance.now)
        } catch {
            guard !Task.isCancelled else { return nil }
            reportFailure("no day is removed, because the days to keep cannot be read: \(error)")
            return nil
        }
    }
}

extension SystemError {
    /// Whether one file could not be read, or could not be removed because of its attributes or the rights to its directory.
    fileprivate var isAboutOneFile: Bool {
        switch call {
        case "open", "read": true
        case "unlink": cause == .denied
        default: false
        }
    }
}
