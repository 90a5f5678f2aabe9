internal import APOD
internal import Glibc
internal import Platform

/// Verifies the days of one month, and the names in its directories that belong to none of them.
struct MonthVerifier {
    let tree: Tree
    let days: DayVerifier
    let scope: VerifyScope
    /// Receives all events; returns whether to continue.
    let report: (VerifyEvent) -> Bool
    /// The names in each directory of the month.
    private var names: [String: [[UInt8]]] = [:]
    /// The directories of the month that cannot be read.
    private var unreadable: [VerifyFinding] = []
    private let year: String
    private let month: String

    /// The directories that have a folder for each month.
    static let tops = [Layout.metadata, Layout.pictures, Layout.thumbnails]

    /// Lists the directories of `month`, such as `2026-11`.
    init(
        _ month: String, of tree: Tree, days: DayVerifier, scope: VerifyScope,
        report: @escaping (VerifyEvent) -> Bool
    ) {
        self.tree = tree
        self.days = days
        self.scope = scope
        self.report = report
        self.month = month
        year = String(month.prefix(4))
        for top in Self.tops {
            let path = "\(top)/\(year)/\(month)"
            do throws(SystemError) {
                names[top] = try tree.root.names(in: path) ?? []
            } catch {
                unreadable.append(VerifyFinding(path, of: nil, .unreadable(error)))
            }
        }
    }

    /// The days that have a record, a picture, a video or a thumbnail.
    static func days(in names: [[UInt8]], of top: String) -> Set<Day> {
        Set(
            names.compactMap { name in
                guard let day = FileName.day(of: name) else { return nil }
                let rest = String(decoding: name.dropFirst(10), as: UTF8.self)
                switch top {
                case Layout.metadata: return rest == ".json" ? day : nil
                case Layout.thumbnails: return rest == ".jpg" ? day : nil
                default: return rest.hasPrefix(" ") && MediaType(ofName: rest) != nil ? day : nil
                }
            })
    }

    private func path(of name: [UInt8], in top: String) -> [UInt8] {
        Array("\(top)/\(year)/\(month)/".utf8) + name
    }

    func run() throws(VerifyStopped) {
        func found(in tops: [String]) -> Set<Day> {
            Set(tops.flatMap { Self.days(in: names[$0] ?? [], of: $0) })
        }
        let known = found(in: Self.tops).filter { "\($0)".hasPrefix(month) && scope.contains($0) }
        let certain = found(in: [Layout.metadata, Layout.thumbnails])
        try unreadable.report(to: report)
        var results: [VerifiedDay] = []
        for day in known.sorted() {
            if certain.contains(day) || hasTrace(of: day) {
                let result = try verify(day)
                results.append(result)
                try result.findings.report(to: report)
            }
            guard report(.day(day)) else { throw VerifyStopped() }
        }
        try reportRest(results)
    }

    /// Whether there is a trace of the mirror on a `day` without a record and a thumbnail, so that its record is
    /// lost: its pinned picture, a file that was replaced, or a picture as the mirror publishes it.
    ///
    /// Otherwise the pictures are a user's. Where it cannot be known, there is a trace.
    private func hasTrace(of day: Day) -> Bool {
        let previous = days.previous
        guard unreadable.isEmpty, previous.error == nil, days.expectations.pins[day] == nil,
            !previous.names.contains(where: { $0.day == day })
        else { return true }
        return (names[Layout.pictures] ?? []).contains { name in
            guard FileName.day(of: name) == day else { return false }
            return (try? tree.isPublished(path(of: name, in: Layout.pictures), of: day)) ?? true
        }
    }

    /// Verifies `day`; a finding is confirmed by a second check, as another process may publish the day now.
    private func verify(_ day: Day) throws(VerifyStopped) -> VerifiedDay {
        let result = try days.verify(day)
        guard !result.findings.isEmpty || !result.absent.isEmpty else { return result }
        waitForPublication(of: day)
        return try days.verify(day)
    }

    /// Waits until the record of `day` that another process has staged is published; at most ten seconds.
    private func waitForPublication(of day: Day) {
        let staged = "\(Layout.incoming)/\(Layout.record(of: day))"
        for _ in 0..<100 {
            guard days.hasWriter, (try? tree.root.status(staged)) != nil else { return }
            usleep(100_000)
        }
    }

    // MARK: Names that belong to no day

    /// Reports missing files, those that have another name, and what belongs to nothing.
    private func reportRest(_ results: [VerifiedDay]) throws(VerifyStopped) {
        let claimed = results.reduce(into: Set<String>()) { $0.formUnion($1.claimed) }
        var rest = unclaimed(claimed, results)
        for file in results.flatMap(\.absent) {
            guard let day = FileName.day(of: Layout.split(file.path).name) else { continue }
            var problem = VerifyFinding.Problem.absent(expected: file.words)
            for (index, item) in rest.enumerated() where try isMoved(item, file) {
                problem = .elsewhere(path: item.path)
                rest.remove(at: index)
                break
            }
            try [VerifyFinding(file.path, of: day, problem)].report(to: report)
        }
        try rest.filter { scope.contains($0.day) }
            .map { VerifyFinding($0.path, of: $0.day, .unclaimed($0.kind)) }.report(to: report)
    }

    private struct Unclaimed {
        let path: String
        let day: Day?
        let kind: FileStatus.FileType
        let size: Int
    }

    private func unclaimed(_ claimed: Set<String>, _ results: [VerifiedDay]) -> [Unclaimed] {
        let unusable = Set(results.filter(\.claimsAll).map(\.day))
        return Self.tops.flatMap { top in
            (names[top] ?? []).sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
                let bytes = self.path(of: name, in: top)
                let path = String(decoding: bytes, as: UTF8.self)
                let day = FileName.day(of: name)
                if claimed.contains(path) || day.map(unusable.contains) ?? false { return nil }
                guard let status = try? tree.root.status(bytes) else { return nil }
                // A picture of another type leaves a link under its old name.
                if leads(path, to: claimed) || isSidecar(path, of: claimed) { return nil }
                return Unclaimed(path: path, day: day, kind: status.kind, size: status.size)
            }
        }
    }

    /// Whether `path` is the sidecar of a claimed file, or of a link to one, written by any program.
    private func isSidecar(_ path: String, of claimed: Set<String>) -> Bool {
        guard path.hasSuffix(Layout.sidecarExtension), path.hasPrefix(Layout.pictures) else {
            return false
        }
        let picture = String(path.dropLast(Layout.sidecarExtension.count))
        return claimed.contains(picture) || leads(picture, to: claimed)
    }

    /// Whether `path` is a link to a claimed file, over other such links or directly.
    private func leads(_ path: String, to claimed: Set<String>) -> Bool {
        var path = path
        for _ in 0..<MediaType.allCases.count {
            guard let target = tree.root.target(of: path), !target.utf8.contains(UInt8(ascii: "/"))
            else {
                return false
            }
            path = "\(Layout.split(path).folder)/\(target)"
            if claimed.contains(path) { return true }
        }
        return false
    }

    /// Whether `item` has the contents of `file`.
    private func isMoved(_ item: Unclaimed, _ file: RecordedFile) throws(VerifyStopped) -> Bool {
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
