package import APOD
import JSON
import Mirror
package import Simulator

/// Checks the state after a fault against the five points of `docs/reliability.md`.
///
/// Each function returns the violations.
package struct Oracle: Sendable {
    /// The tree of a run without faults.
    package let whole: TreeImage
    /// The earlier correct trees: each file of a trial is that of one of these or of `whole`.
    private let earlier: [TreeImage]
    private let allowsPartialRecords: Bool
    private let canary: Canary
    private let canaryState: [String: [Int]]

    /// - Parameters:
    ///   - whole: The tree of a run without faults.
    ///   - earlier: The earlier correct trees.
    ///   - allowsPartialRecords: Whether responses are wrong, so that records may list missing files.
    ///   - canary: The files outside of the mirror that must not change.
    package init(
        whole: TreeImage, earlier: [TreeImage] = [], allowsPartialRecords: Bool = false,
        canary: Canary
    ) {
        self.whole = whole
        self.allowsPartialRecords = allowsPartialRecords
        self.earlier = earlier
        self.canary = canary
        canaryState = canary.state
    }

    /// The state reported before the fault, which must still exist.
    package struct Acknowledged: Sendable {
        package var days: Set<Day>
        package var favorites: Set<Day>
        /// The favorites of the user, reported or not.
        package var possibleFavorites: Set<Day>
        /// The tree whose pictures and damaged files must still exist somewhere.
        package var tree: TreeImage?

        package init(
            days: Set<Day>, favorites: Set<Day>, possibleFavorites: Set<Day>, tree: TreeImage? = nil
        ) {
            self.tree = tree
            self.days = days
            self.favorites = favorites
            self.possibleFavorites = possibleFavorites
        }
    }

    /// Points 1 to 3: complete days are intact, nothing reported is lost, nothing outside has changed.
    package func violations(in half: TreeImage, after acknowledged: Acknowledged) -> [String] {
        let known = Set(earlier.flatMap(\.damage))
        var violations = half.damageBesideEdits.filter { !known.contains($0) }
        let strangers = earlier.reduce(Set(half.strangers(to: whole))) {
            $0.intersection(half.strangers(to: $1))
        }
        violations += strangers.sorted().filter { !isPartial($0) }
            .map { "\($0) is wrong under its final name" }
        violations += acknowledged.days.subtracting(half.complete)
            .map { "\($0) was reported and is gone" }
        violations += acknowledged.favorites.subtracting(half.favorites)
            .map { "favorite \($0) was reported and is gone" }
        violations += half.favorites.subtracting(acknowledged.possibleFavorites)
            .map { "nobody made favorite \($0)" }
        violations += losses(in: half, of: acknowledged.tree)
        if canary.state != canaryState { violations.append("something outside the tree changed") }
        return violations
    }

    /// The files of `earlier` whose bytes are not in `tree`, without those of days that the run without faults removes:
    /// `--keep` deletes them.
    package func losses(in tree: TreeImage, of earlier: TreeImage?) -> [String] {
        guard let earlier else { return [] }
        let removed = whole.removed
        return tree.lost(of: earlier)
            .filter { path in
                FileName.day(of: Layout.split(path).name).map { !removed.contains($0) } ?? true
            }
            .map { "the bytes of \($0) are lost" }
    }

    /// Whether a file may replace an unavailable one: the record of a missing picture, the page of a video.
    private func isPartial(_ path: String) -> Bool {
        allowsPartialRecords && (path.hasPrefix("metadata/") || path.hasSuffix(".html"))
    }

    /// Point 4: after a clean start the tree is complete, and nothing was downloaded again.
    package func violations(
        in tree: TreeImage, afterCleanStart clean: Ending?, from half: TreeImage,
        _ requests: [SimulatedRequest]
    ) -> [String] {
        var violations = clean.map { $0.code == 0 ? [] : ["the clean start failed: \($0)"] } ?? []
        violations += tree.damage
        if tree.pins != whole.pins { violations.append("the pins differ") }
        violations += tree.differences(from: whole).map {
            "\($0) differs from a run without faults\(tree.newLines(of: $0, since: whole))"
        }
        violations += tree.favorites.symmetricDifference(whole.favorites)
            .map { "favorite \($0) is there only with faults, or only without" }
        violations += tree.incoming.map { "\($0) is left over" }
        let done = half.revisions.intersection(whole.revisions).map(\.day)
        let requested = Set(requests.filter { $0.kind == .media }.compactMap(\.day))
        violations += requested.intersection(done).intersection(half.complete)
            .subtracting(half.damagedDays).subtracting(half.reduced)
            .map { "\($0) was complete and downloaded again" }
        if canary.state != canaryState { violations.append("something outside the tree changed") }
        return violations
    }

    /// Point 5: only a complete run exits with 0, and any other reports the reason in one sentence.
    package func violations(of faulty: Ending, in half: TreeImage) -> [String] {
        guard let code = faulty.code else {
            return faulty.signal == 9 ? [] : ["ended by signal \(faulty.signal ?? 0)"]
        }
        if code == 0 {
            // A link suffices, because the next sync records it. So does a video without its poster.
            let isComplete =
                allowsPartialRecords
                ? half.withMedia.isSuperset(of: whole.complete)
                : half.revisions == whole.revisions && half.complete.isSuperset(of: whole.complete)
            let isWhole =
                isComplete && half.damage.isEmpty
                && (half.favorites == whole.favorites || half.links == whole.links)
            return isWhole ? [] : ["exit code 0 for work that is not done: \(faulty)"]
        }
        // Damage, and files that were not adopted, are listed with the results.
        let hasReason = !faulty.sentences.isEmpty || !faulty.output.isEmpty
        return hasReason ? [] : ["exit code \(code) without a reason"]
    }

    /// Point 5: `status --json` of `half` is correct, and does not contradict the previous run.
    ///
    /// - Parameters:
    ///   - status: The result of `status --json`.
    ///   - half: The tree.
    ///   - faulty: The previous run.
    /// - Returns: The violations.
    package func violations(
        ofStatus status: Ending, in half: TreeImage, after faulty: Ending
    ) -> [String] {
        // Without a marker there is no mirror.
        if half.files[Layout.marker] == nil, status.code == 4 { return [] }
        guard let code = status.code, let report = try? JSON(parsing: Array(status.output.utf8))
        else { return ["status failed: \(status)"] }
        // A daemon that ended by an error leaves that for status, which then exits with 1.
        let isFailedService =
            report["health"]?.string == "failed" && ![nil, 0].contains(faulty.code)
        // What the run could not write beside the days stays in the line “unwritten”.
        let isUnwritten =
            report["health"]?.string == "unknown" && report["last_error"]?["message"] != nil
            && ![nil, 0].contains(faulty.code)
        let mayBe1 = isFailedService || isUnwritten
        guard [0, 3, 4, 6, 7, 8, 9].contains(code) || (code == 1 && mayBe1) else {
            return ["status failed: \(status)"]
        }
        var violations: [String] = []
        // A state that could not be recorded was reported by the command only.
        let isRecorded =
            ![1, 4, 6].contains(faulty.code) && (faulty.code != 8 || faulty.sentences.isEmpty)
        if code == 0, isRecorded,
            !half.recordedDays.subtracting(half.removed).isSubset(of: half.complete)
        {
            violations.append("status knows of no missing days")
        }
        // A file that could not be read temporarily was reported, and exists.
        let mayDiffer = half.damage.isEmpty && half.complete.isSuperset(of: whole.complete)
        if code == 0, let reported = faulty.code, [3, 8].contains(reported), isRecorded, !mayDiffer
        {
            violations.append("status exits with 0 after exit code \(reported)")
        }
        let favorites = ["kept", "held", "wanted"].compactMap { report["favorites"]?[$0]?.integer }
        // A link without a record, or a record without a link, counts as the next scan will find it.
        let linked = half.links.keys.compactMap { FileName.day(of: Layout.split($0).name) }
        let possible =
            half.favorites.intersection(linked).count...half.favorites.union(linked).count
        if !possible.contains(favorites.reduce(0, +)) {
            violations.append("status knows of other favorites: \(favorites), not \(possible)")
        }
        let complete = report["mirror"]?["complete"]?.integer
        // A staged record changes it.
        if half.damage.isEmpty, half.incoming.isEmpty, complete != half.complete.count {
            violations.append("status knows of \(complete ?? -1) complete days")
        }
        return violations
    }
}
