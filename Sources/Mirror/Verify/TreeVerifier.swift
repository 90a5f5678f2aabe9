package import APOD
internal import Platform

/// Verifies a tree against its records, without the lock and without changing anything.
///
/// It reads one month of names and one file at a time, and reports each finding at once.
package struct TreeVerifier {
    let tree: Tree
    let days: DayVerifier
    private let daysReporting: @Sendable (@escaping (VerifyEvent) -> Bool) -> DayVerifier
    private let threads: Int
    private let report: (VerifyEvent) -> Bool

    /// Verifies `tree`, which may be open for reading only.
    ///
    /// If it `isQuick`, pictures and videos are not read: existence, size and time are compared. A tree that
    /// `hasWriter` may be written by another process meanwhile. Each of `threads` verifies a month at a time;
    /// with one, only the calling thread reads. `report` receives all events, on the calling thread, and returns
    /// whether to continue.
    package init(
        _ tree: Tree, expecting expectations: VerifyExpectations = VerifyExpectations(),
        isQuick: Bool = false, hasWriter: Bool = false, threads: Int = 1,
        report: @escaping (VerifyEvent) -> Bool
    ) {
        self.tree = tree
        self.threads = threads
        self.report = report
        let previous = PreviousFiles(of: tree)
        daysReporting = { report in
            DayVerifier(
                tree: tree,
                files: FileVerifier(root: tree.root, isQuick: isQuick) { report(.read(bytes: $0)) },
                expectations: expectations, previous: previous, hasWriter: hasWriter)
        }
        days = daysReporting(report)
    }

    /// Verifies the days of `scope` in order, beginning with the month of `first`, then what belongs to no day:
    /// `previous/`, favorites and names, unless `isDaysOnly`.
    package func run(
        _ scope: VerifyScope = .all, from first: Day? = nil, isDaysOnly: Bool = false
    ) throws(VerifyStopped) {
        let months = months().months.filter { month in
            Self.mayContain(month, scope) && first.map { month >= "\($0)".prefix(7) } ?? true
        }
        try MonthQueue.run(months, threads: threads, report: report) {
            [tree, daysReporting] month, report throws(VerifyStopped) in
            let days = daysReporting(report)
            try MonthVerifier(month, of: tree, days: days, scope: scope, report: report).run()
            if !isDaysOnly, let next = Self.day(after: month), !report(.reached(next)) {
                throw VerifyStopped()
            }
        }
        if isDaysOnly { return }
        try verifyLonePins(scope)
        try previousFindings(scope).report(to: report)
        try days.expectations.favorites().filter { scope.contains($0.day) }.report(to: report)
        if scope == .all { try verifyNames() }
    }

    /// Verifies what belongs to no day: names, and what follows from the newest days.
    package func verifyNames() throws(VerifyStopped) {
        try (months().unknown + nameFindings()).report(to: report)
    }

    /// Verifies the pins of days of which there is nothing else.
    private func verifyLonePins(_ scope: VerifyScope) throws(VerifyStopped) {
        guard !days.expectations.pins.isEmpty else { return }
        let snapshot = try? TreeSnapshot(of: tree.root)
        for day in days.expectations.pins.keys.sorted()
        where scope.contains(day) && snapshot?[day]?.isMirrored != true {
            var result = VerifiedDay(day: day)
            try days.verifyLonePin(&result)
            try result.findings.report(to: report)
        }
    }

    /// The first day after a month such as `2026-11`.
    private static func day(after month: String) -> Day? {
        guard let year = Int(month.prefix(4)), let number = Int(month.suffix(2)) else { return nil }
        return number == 12
            ? Day(year: year + 1, month: 1, day: 1) : Day(year: year, month: number + 1, day: 1)
    }

    private static func mayContain(_ month: String, _ scope: VerifyScope) -> Bool {
        switch scope {
        case .all: true
        case .days(let days): days.contains { "\($0)".hasPrefix(month) }
        case .range(let range):
            "\(range.lowerBound)".prefix(7) <= month && month <= "\(range.upperBound)".prefix(7)
        }
    }

    // MARK: Directories

    /// The months with a directory, sorted, and what is neither a year nor a month.
    private func months() -> (months: [String], unknown: [VerifyFinding]) {
        var months: Set<String> = []
        var unknown: [VerifyFinding] = []
        for top in MonthVerifier.tops {
            for (year, bytes) in list(top, &unknown) {
                guard Self.isYear(year) else {
                    if "\(top)/\(year)" != "\(Layout.thumbnails)/.nomedia" {
                        unknown.append(VerifyFinding(unknown: bytes, in: top, of: tree.root))
                    }
                    continue
                }
                let folder = "\(top)/\(year)"
                for (month, bytes) in list(folder, &unknown) {
                    if Self.isMonth(month, of: year) {
                        months.insert(month)
                    } else {
                        unknown.append(VerifyFinding(unknown: bytes, in: folder, of: tree.root))
                    }
                }
            }
        }
        return (months.sorted(), unknown)
    }

    /// The names in the directory at `path`, sorted, as text and as they are.
    private func list(
        _ path: String, _ findings: inout [VerifyFinding]
    ) -> [(name: String, bytes: [UInt8])] {
        do throws(SystemError) {
            let names = try tree.root.names(in: path) ?? []
            return names.sorted { $0.lexicographicallyPrecedes($1) }
                .map { (String(decoding: $0, as: UTF8.self), $0) }
        } catch {
            if let status = try? tree.root.status(path), status.kind != .directory {
                findings.append(VerifyFinding(path, of: nil, .unclaimed(status.kind)))
            } else {
                findings.append(VerifyFinding(path, of: nil, .unreadable(error)))
            }
            return []
        }
    }

    private static func isYear(_ name: String) -> Bool {
        name.utf8.count == 4 && Int(name).map { 1995...2094 ~= $0 } ?? false
    }

    private static func isMonth(_ name: String, of year: String) -> Bool {
        name.utf8.count == 7 && name.hasPrefix("\(year)-")
            && Int(name.suffix(2)).map { 1...12 ~= $0 } ?? false
    }
}
