package import APOD
internal import FoundationEssentials
package import Mirror
internal import Platform

/// The verifications that are due in the daemon after syncs: they find damaged files, and notice that damage is over.
///
/// *Damage* is a damaged, missing or unreadable file that an earlier verification has found, and recorded in `verify.json`.
extension Verification {
    /// What the syncs since the last verification did that makes a verification useful.
    package struct Reason: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package init(after summary: SyncSummary) {
            self = .syncEnded
            if summary.downloaded + summary.edited > 0 { insert(.updatedDays) }
            if summary.obstacle == nil { insert(.metNoObstacle) }
        }

        /// The sync downloaded or edited days, which may have repaired damaged ones.
        static let updatedDays = Reason(rawValue: 1 << 0)
        /// The sync met no obstacle, so that files which are found to be damaged can be downloaded again.
        static let metNoObstacle = Reason(rawValue: 1 << 1)
        /// The sync ended; a person who put a lost file back may have asked for it, by a start or a reload.
        static let syncEnded = Reason(rawValue: 1 << 2)
    }

    /// Verifies and repairs what is due after one or more syncs: the first of the following that applies.
    ///
    /// 1. Once a day, after a sync without an obstacle: a ``VerifySlice``, a thirtieth of the mirror, and all days with damage.
    /// 2. After a sync that downloaded or edited days: ``daysToDownload``, which the sync may have repaired.
    /// 3. After any other sync: the days with damage that may be over, because the file is in its place, or could not be read.
    package func run(after reasons: Reason) throws -> VerificationOutcome {
        stateFile.forgetReadError()
        let state = stateFile.state
        if reasons.contains(.metNoObstacle), state.isSliceDue(at: now()) {
            return try verifySlice(state)
        }
        if reasons.contains(.updatedDays), !state.daysToDownload.isEmpty {
            return try verify(state.daysToDownload)
        }
        var outcome = try verifyFilesThatAreBack()
        if outcome.isStopped { return outcome }
        outcome.add(try verifyUnreadable(stateFile.state.unreadableDays))
        return outcome
    }

    // MARK: Damage that may be over

    /// The days of which a damaged or missing file is in its place.
    ///
    /// Repairs move damaged files away, except records, so that mostly a person has put the file back.
    package var daysOfFilesThatAreBack: Set<Day> {
        let filesInPlace = damage.filter {
            $0.kind != .unreadable && (try? store.tree.root.status($0.path)) != nil
        }
        return Set(filesInPlace.compactMap(\.day))
    }

    /// Verifies ``daysOfFilesThatAreBack`` again.
    ///
    /// - Returns: The outcome without the findings that earlier verifications have reported.
    private func verifyFilesThatAreBack() throws -> VerificationOutcome {
        let days = daysOfFilesThatAreBack
        guard !days.isEmpty else { return VerificationOutcome() }
        let knownTexts = Set(damage.map(\.text))
        var outcome = try verify(days)
        outcome.repairs.removeAll { repair in
            !repair.isDone && !repair.hasMovedFile && knownTexts.contains("\(repair.finding)")
        }
        outcome.requestSyncForMovedFiles()
        return outcome
    }

    /// Verifies the days again that have a file which could not be read, because the disk may work now.
    ///
    /// The first day that still has an unreadable file ends this, so that a failing disk is read only once after each sync.
    /// The order is random, so that the same bad file does not keep the other days from being read each time.
    ///
    /// - Returns: The outcome without the findings of unreadable files, which were reported before.
    private func verifyUnreadable(_ days: Set<Day>) throws -> VerificationOutcome {
        var outcome = VerificationOutcome()
        guard !days.isEmpty else { return outcome }
        let verifier = try TreeVerifier(store.tree, store.snapshots.current(rereading: days))
        for day in days.shuffled() {
            outcome.add(try verify([day], by: verifier))
            let isUnreadable = outcome.repairs.contains { $0.finding.kind == .unreadable }
            if isUnreadable || outcome.isStopped { break }
        }
        outcome.repairs.removeAll { $0.finding.kind == .unreadable }
        return outcome
    }

    // MARK: The daily verification

    /// Verifies and repairs the slice that is due, and all days with damage.
    private func verifySlice(_ state: VerifyState) throws -> VerificationOutcome {
        let verifier = try TreeVerifier(store.tree, TreeSnapshot(of: store.tree.root))
        let all = verifier.days(in: .all)
        let slice = VerifySlice(of: all, from: state.next)
        let daysOfSlice = all.filter(slice.range.contains)
        var outcome = try verify(state.daysWithDamage.union(daysOfSlice), by: verifier)
        outcome.requestSyncForMovedFiles()
        // After a cancellation, the slice stays due.
        guard !outcome.isStopped else { return outcome }
        outcome.add(
            try save { state in
                // A folder or an internal file belongs to no day, so that no slice has it: only `verify --repair` records it
                // as damage. The walk for this slice shows which of them can be read again.
                state.forgetDamageOfNoDay(exceptAt: verifier.unreadablePaths.keys)
                state.next = slice.next
                state.lastSlice = now()
                if slice.next == nil { state.lastComplete = now() }
            })
        return outcome
    }
}
