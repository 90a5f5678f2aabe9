internal import APOD
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// Verifies the days of one month, and finds the items in its directories that belong to no day.
///
/// ``TreeVerifier`` makes one for each month: the files of a day that were renamed are found in its own month only.
struct MonthVerifier: Sendable {
    let tree: Tree
    let dayVerifier: DayVerifier
    let scope: VerifyScope
    /// The files of each day of the month, also of the days outside of ``scope``.
    let dayFiles: [TreeSnapshot.DayFiles]
    /// The items in the directories of the month that are no files of a day.
    let otherItems: [TreeSnapshot.OtherItem]
    /// The directories of the month that cannot be read.
    let unreadable: [VerifyFinding]
    let progress: @Sendable (VerifyProgress) -> Void

    /// The findings of unreadable directories and of the days, then of absent files, then of unclaimed items.
    func findings() throws(VerifyStopped) -> [VerifyFinding] {
        var findings = unreadable
        var results: [VerifiedDay] = []
        for files in dayFiles where files.isMirrored && scope.contains(files.day) {
            if files.record != nil || files.thumbnail != nil || wasPublished(files) {
                let result = try verify(files.day)
                results.append(result)
                findings += result.findings
            }
            progress(.day)
            guard !Task.isCancelled else { throw VerifyStopped() }
        }
        var unclaimed = unclaimedItems(results)
        for result in results {
            for file in result.absent {
                let problem = try claimRenamed(file, among: &unclaimed)
                findings.append(VerifyFinding(file.path, of: result.day, problem))
            }
        }
        // Items of no day are reported by a verification of the whole tree only.
        return findings
            + unclaimed.filter { scope.contains($0.day) }
            .map { VerifyFinding($0.path, of: $0.day, .unclaimed($0.kind)) }
    }

    /// Whether the mirror published a day that has neither record nor thumbnail now; otherwise its pictures are a
    /// user's, and no record is missing.
    ///
    /// The pin of a favorite shows it, a file in `previous/`, and a picture with the name and the time that the mirror
    /// gives. A day that cannot be examined counts as published.
    private func wasPublished(_ files: TreeSnapshot.DayFiles) -> Bool {
        let (day, previous) = (files.day, dayVerifier.previous)
        let isUnknown = !unreadable.isEmpty || previous.error != nil
        let hasPin = dayVerifier.expectations.pins[day] != nil
        if isUnknown || hasPin || previous.names.contains(where: { $0.day == day }) { return true }
        return files.media.contains {
            (try? tree.isPublished(Array($0.path.utf8), of: day)) ?? true
        }
    }

    /// Verifies `day`; findings are confirmed by a second check, as another process may publish the day now.
    private func verify(_ day: Day) throws(VerifyStopped) -> VerifiedDay {
        let result = try dayVerifier.verify(day)
        guard !result.findings.isEmpty || !result.absent.isEmpty else { return result }
        waitForPublication(of: day)
        return try dayVerifier.verify(day)
    }

    /// Waits until the record of `day` that another process staged is published; blocks its thread ten seconds at most.
    private func waitForPublication(of day: Day) {
        let staged = "\(Layout.incoming)/\(Layout.record(of: day))"
        for _ in 0..<100 where dayVerifier.hasWriter && !Task.isCancelled {
            // Publication moves the record to its place.
            guard (try? tree.root.status(staged))?.kind == .file else { return }
            usleep(100_000)
        }
    }

    // MARK: Items that belong to no day

    private struct UnclaimedItem {
        let path: String
        /// The day that its name begins with.
        let day: Day?
        let kind: FileStatus.FileType
        let size: Int
    }

    /// The items that no verified day claims as its files, sorted by path.
    ///
    /// Left out are links and sidecars of claimed files, the items of days outside of ``scope``, and those of days with
    /// a missing or damaged record, whose files are not known: such a day claims all.
    private func unclaimedItems(_ results: [VerifiedDay]) -> [UnclaimedItem] {
        let claimed = results.reduce(into: Set<String>()) { $0.formUnion($1.claimed) }
        let daysClaimingAll = Set(results.filter(\.claimsAll).map(\.day))
        let paths = dayFiles.flatMap(\.paths).map { Array($0.utf8) } + otherItems.map(\.path)
        return paths.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { bytes in
            let path = String(decoding: bytes, as: UTF8.self)
            guard !claimed.contains(path) else { return nil }
            let day = FileName.day(of: Layout.split(path).name)
            if let day, !scope.contains(day) || daysClaimingAll.contains(day) { return nil }
            // An item that was removed meanwhile is none.
            guard let status = try? tree.root.status(bytes) else { return nil }
            if isLink(path, to: claimed) || isSidecar(path, of: claimed) { return nil }
            return UnclaimedItem(path: path, day: day, kind: status.kind, size: status.size)
        }
    }

    /// Whether `path` is the sidecar of a claimed file, or of a link to one, whatever program wrote it.
    private func isSidecar(_ path: String, of claimed: Set<String>) -> Bool {
        guard path.hasSuffix(Layout.sidecarExtension), path.hasPrefix(Layout.pictures) else {
            return false
        }
        let picture = String(path.dropLast(Layout.sidecarExtension.count))
        return claimed.contains(picture) || isLink(picture, to: claimed)
    }

    /// Whether `path` is a link to a claimed file: where NASA replaced a picture by one of another type, the mirror
    /// leaves a link under the earlier name, and such links may lead to each other.
    private func isLink(_ path: String, to claimed: Set<String>) -> Bool {
        var path = path
        // One link for each earlier type; links in a circle end here, too.
        for _ in MediaType.allCases {
            guard let target = tree.root.target(of: path), !target.utf8.contains(UInt8(ascii: "/"))
            else { return false }
            path = "\(Layout.split(path).folder)/\(target)"
            if claimed.contains(path) { return true }
        }
        return false
    }

    /// Removes from `items` the picture that is the absent `file` under another name, by its contents.
    ///
    /// - Returns: The problem of `file`: elsewhere, or absent if none is that picture.
    private func claimRenamed(
        _ file: RecordedFile, among items: inout [UnclaimedItem]
    ) throws(VerifyStopped) -> VerifyFinding.Problem {
        // A quick verification reads no pictures, and so finds none by their contents.
        for (index, item) in items.enumerated() where !dayVerifier.fileVerifier.isQuick {
            guard item.kind == .file, item.size == file.bytes,
                item.path.hasPrefix(Layout.pictures),
                try dayVerifier.fileVerifier.problem(
                    at: item.path, expecting: file.words, bytes: file.bytes, sha256: [file.sha256])
                    == nil
            else { continue }
            items.remove(at: index)
            return .elsewhere(path: item.path)
        }
        return .absent(expected: file.words)
    }
}
