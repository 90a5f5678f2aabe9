internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Verifies the days of one month, and the items in its directories that belong to no day.
struct MonthVerifier: Sendable {
    let tree: Tree
    let days: DayVerifier
    let scope: VerifyScope
    /// The files of all days of the month, also of those outside of the scope.
    let files: [TreeSnapshot.DayFiles]
    let others: [TreeSnapshot.OtherItem]
    /// The directories of the month that cannot be read.
    let unreadable: [VerifyFinding]
    let progress: @Sendable (VerifyProgress) -> Void

    func findings() throws(VerifyStopped) -> [VerifyFinding] {
        var findings = unreadable
        var results: [VerifiedDay] = []
        for files in files where files.isMirrored && scope.contains(files.day) {
            if files.record != nil || files.thumbnail != nil || hasTrace(files) {
                let result = try verify(files.day)
                results.append(result)
                findings += result.findings
            }
            progress(.day)
            guard !Task.isCancelled else { throw VerifyStopped() }
        }
        return findings + (try absentAndUnclaimed(results))
    }

    /// Whether a day without a record and a thumbnail was the mirror's, and not only has pictures of a user.
    ///
    /// The traces are a pinned picture, a replaced file, and a picture as the mirror publishes it. A day that
    /// cannot be examined counts as the mirror's.
    private func hasTrace(_ files: TreeSnapshot.DayFiles) -> Bool {
        let (day, previous) = (files.day, days.previous)
        guard unreadable.isEmpty, previous.error == nil, days.expectations.pins[day] == nil,
            !previous.names.contains(where: { $0.day == day })
        else { return true }
        return files.media.contains {
            (try? tree.isPublished(Array($0.path.utf8), of: day)) ?? true
        }
    }

    /// Verifies `day`; findings are confirmed by a second check, as another process may publish the day now.
    private func verify(_ day: Day) throws(VerifyStopped) -> VerifiedDay {
        let result = try days.verify(day)
        guard !result.findings.isEmpty || !result.absent.isEmpty else { return result }
        waitForPublication(of: day)
        return try days.verify(day)
    }

    /// Waits until the record of `day` that another process staged is published; at most ten seconds.
    private func waitForPublication(of day: Day) {
        let staged = "\(Layout.incoming)/\(Layout.record(of: day))"
        for _ in 0..<100 {
            guard days.hasWriter, (try? tree.root.status(staged)) != nil else { return }
            usleep(100_000)
        }
    }

    // MARK: Names that belong to no day

    /// The absent files, which may have another name, and the items that belong to no day.
    private func absentAndUnclaimed(
        _ results: [VerifiedDay]
    ) throws(VerifyStopped) -> [VerifyFinding] {
        let claimed = results.reduce(into: Set<String>()) { $0.formUnion($1.claimed) }
        var findings: [VerifyFinding] = []
        var items = unclaimed(claimed, results)
        for file in results.flatMap(\.absent) {
            guard let day = FileName.day(of: Layout.split(file.path).name) else { continue }
            var problem = VerifyFinding.Problem.absent(expected: file.words)
            for (index, item) in items.enumerated() where try hasContents(item, of: file) {
                problem = .elsewhere(path: item.path)
                items.remove(at: index)
                break
            }
            findings.append(VerifyFinding(file.path, of: day, problem))
        }
        return findings
            + items.filter { scope.contains($0.day) }
            .map { VerifyFinding($0.path, of: $0.day, .unclaimed($0.kind)) }
    }

    private struct Unclaimed {
        let path: String
        let day: Day?
        let kind: FileStatus.FileType
        let size: Int
    }

    /// The items that belong to no day, as links and sidecars of claimed files do, sorted by path.
    private func unclaimed(_ claimed: Set<String>, _ results: [VerifiedDay]) -> [Unclaimed] {
        let claimingAll = Set(results.filter(\.claimsAll).map(\.day))
        let paths = files.flatMap(\.paths).map { Array($0.utf8) } + others.map(\.path)
        return paths.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { bytes in
            let path = String(decoding: bytes, as: UTF8.self)
            let day = FileName.day(of: Layout.split(path).name)
            if claimed.contains(path) || day.map(claimingAll.contains) ?? false { return nil }
            // Otherwise the item was removed meanwhile.
            guard let status = try? tree.root.status(bytes) else { return nil }
            // A picture that was replaced by one of another type leaves a link under its name.
            if leads(path, to: claimed) || isSidecar(path, of: claimed) { return nil }
            return Unclaimed(path: path, day: day, kind: status.kind, size: status.size)
        }
    }

    /// Whether `path` is the sidecar of a claimed file, or of a link to one, whatever program wrote it.
    private func isSidecar(_ path: String, of claimed: Set<String>) -> Bool {
        guard path.hasSuffix(Layout.sidecarExtension), path.hasPrefix(Layout.pictures) else {
            return false
        }
        let picture = String(path.dropLast(Layout.sidecarExtension.count))
        return claimed.contains(picture) || leads(picture, to: claimed)
    }

    /// Whether `path` is a link to a claimed file, directly or by other such links.
    private func leads(_ path: String, to claimed: Set<String>) -> Bool {
        var path = path
        for _ in 0..<MediaType.allCases.count {
            guard let target = tree.root.target(of: path), !target.utf8.contains(UInt8(ascii: "/"))
            else { return false }
            path = "\(Layout.split(path).folder)/\(target)"
            if claimed.contains(path) { return true }
        }
        return false
    }

    private func hasContents(
        _ item: Unclaimed, of file: RecordedFile
    ) throws(VerifyStopped) -> Bool {
        guard item.kind == .file, item.size == file.bytes, item.path.hasPrefix(Layout.pictures),
            !days.files.isQuick
        else { return false }
        do {
            guard let hash = try days.files.hash(item.path) else { throw VerifyStopped() }
            return hash == file.sha256
        } catch is SystemError {
            return false
        } catch {
            throw VerifyStopped()
        }
    }
}
