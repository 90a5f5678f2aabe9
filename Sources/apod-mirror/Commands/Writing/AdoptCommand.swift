import APOD
import CommandLine
import JSON
import Maintenance
import Mirror
import Platform
import Service

/// `apod-mirror adopt DIR`: imports pictures of APOD that another program downloaded, see ``Adoption``.
struct AdoptCommand {
    private let access: MirrorAccess
    private let settings: Settings
    private let isDryRun: Bool
    private let isOffline: Bool
    private let source: Directory
    private let report: AdoptionReport

    init(_ arguments: Arguments) throws {
        access = MirrorAccess(arguments)
        settings = try Settings(arguments)
        isDryRun = try arguments.isOn(.dryRun)
        isOffline = try arguments.isOn(.offline)
        try arguments.printFoundMirror()
        let path = resolvedPath(arguments.operands[0])
        try Self.check(path, apartFrom: settings.root, isMirror: arguments.mirror.exists)
        do {
            source = try Directory(opening: path)
        } catch {
            throw CommandError(
                error.cause == .denied
                    ? "\(error); \(Self.accessAdvice(for: path))"
                    : "\(error); name the directory with the pictures")
        }
        report = AdoptionReport(of: path, isJSON: try arguments.isOn(.json), isDryRun: isDryRun)
    }

    static func accessAdvice(for path: String) -> String {
        // A network disk may give no rights to root, whatever the permissions say.
        guard Account.effectiveUserID != 0 else {
            return "not even root may read it; copy the pictures to a disk of this machine"
        }
        let id = Account.effectiveUserID
        return "“adopt” reads as \(Account.name(ofUser: id)): give that user access, such as with"
            + " “setfacl -R -m u:\(Account.knownName(ofUser: id) ?? "\(id)"):rX \(path.shellWord)”"
    }

    /// Checks that neither directory contains the other, because a mirror cannot adopt its own pictures.
    ///
    /// If there is no mirror in `root` yet, the pictures may be in the directory that is to become it.
    private static func check(
        _ path: String, apartFrom root: String, isMirror: Bool
    ) throws(CommandError) {
        let position: String
        switch (path.isPath(in: root), root.isPath(in: path)) {
        case (false, false): return
        case (true, false): position = "inside"
        case (false, true): position = "around"
        case (true, true) where !isMirror:
            throw .usage(
                "\(path) would become the mirror itself; rename this directory, or choose another"
                    + " --root")
        case (true, true):
            throw .usage(
                "\(path) is the mirror itself; “apod-mirror run” makes the missing records of"
                    + " its pictures")
        }
        throw .usage(
            "\(path) is \(position) the mirror in \(root); move the pictures"
                + " into a directory of their own, or choose another --root")
    }

    func run() async throws -> ExitCode {
        let mirror =
            try await isDryRun ? nil : MirrorWriter(access.openInsteadOfDaemon(), settings)
        let store = try mirror?.store ?? access.openIfPresent().map(Store.init(reading:))
        var adoption = try Adoption(of: source, into: store) { report.add($0) }
        // After an error, too, because the pictures that were imported before it are in the mirror.
        defer {
            report.finish(
                otherFiles: adoption.otherFiles,
                waiting: (try? mirror?.store.daysWaitingInAdopted().count) ?? 0)
        }
        adoption.scan()
        try adoption.carryOut(in: mirror?.store)
        let code = try await publishAdoptedDays(in: mirror)
        return report.hasFailed ? .failure : code
    }

    private func publishAdoptedDays(in mirror: MirrorWriter?) async throws -> ExitCode {
        guard !isOffline, let summary = try await mirror?.publishAdoptedDays() else { return .done }
        if let message = summary.message {
            StandardStream.error.write("apod-mirror: \(message)\n")
        }
        for unused in summary.unusedImports { report.add(unused) }
        return summary.exitCode
    }
}

/// Prints the results of `adopt`: a line for each file at once, or one JSON document at the end.
final class AdoptionReport {
    /// What became of a file, by the name in the JSON.
    private enum Kind: String, CaseIterable {
        case adopted, present, unrecognized, failed
    }

    private let isJSON: Bool
    private let isDryRun: Bool
    /// The path of the adopted directory.
    private let source: String
    private var counts: [Kind: Int] = [:]
    /// The files of each kind; empty without `--json`.
    private var lists: [Kind: [JSON]] = [:]
    /// The adopted files, which the sync may not use: their paths and sizes.
    private var adopted: [Day: (path: String, bytes: Int)] = [:]
    /// The bytes of the adopted files.
    private var bytes: Int { adopted.values.lazy.map(\.bytes).saturatingSum() }
    /// Whether this user may not read some file.
    private var isDenied = false

    init(of source: String, isJSON: Bool, isDryRun: Bool) {
        self.source = source
        self.isJSON = isJSON
        self.isDryRun = isDryRun
    }

    /// Whether some file could not be read or written.
    var hasFailed: Bool { count(.failed) > 0 }

    private func count(_ kind: Kind) -> Int { counts[kind] ?? 0 }

    func add(_ event: AdoptionEvent) {
        switch event {
        case .adopted(let path, let day, let size):
            adopted[day] = (path, size)
            list(
                .adopted, line: "\(day)  \(path.printableLine)",
                ["date": .string("\(day)"), "file": .string(path), "bytes": .integer(size)])
        case .present(let path, let day, let differs):
            let line = "\(day)  \(path.printableLine): the mirror has another picture, which stays"
            list(
                .present, line: differs ? line : nil,
                ["date": .string("\(day)"), "file": .string(path), "differs": .bool(differs)])
        case .unrecognized(let path, let reason):
            list(
                .unrecognized, line: "unrecognized: \(path.printableLine): \(reason.printableLine)",
                ["file": .string(path), "reason": .string(reason)])
        case .failed(let path, let error):
            // A file of the mirror has its own remedy.
            let isOfSource = error.path.isPath(in: source)
            isDenied = isDenied || isOfSource && error.cause == .denied
            let reason = isOfSource ? error.description : error.advice
            list(
                .failed, line: "failed: \(reason.printableLine)",
                ["file": .string(path), "reason": .string(reason)])
        }
    }

    /// Counts a picture that the sync did not use as unrecognized, and not as adopted.
    func add(_ unused: UnusedImport) {
        var path = unused.path
        // An earlier adoption may have imported it.
        if let file = adopted.removeValue(forKey: unused.day) {
            path = file.path
            counts[.adopted, default: 1] -= 1
            lists[.adopted]?.removeAll { $0["date"]?.string == "\(unused.day)" }
        }
        add(.unrecognized(path: path, reason: unused.reason))
    }

    /// Counts a file, and prints its `line` or keeps its `json`; a `nil` line prints nothing.
    private func list(_ kind: Kind, line: String?, _ json: JSON) {
        counts[kind, default: 0] += 1
        if isJSON {
            lists[kind, default: []].append(json)
        } else if let line {
            StandardStream.output.write("\(line)\n")
        }
    }

    /// Prints the totals.
    ///
    /// `otherFiles` is the number of files that are no pictures; `waiting` is the number of adopted pictures whose entry
    /// was not requested yet.
    func finish(otherFiles: Int, waiting: Int) {
        if isDenied {
            StandardStream.error.write("apod-mirror: \(AdoptCommand.accessAdvice(for: source))\n")
        }
        guard !isJSON else { return writeJSON(otherFiles, waiting) }
        StandardStream.output.write(
            "\(isDryRun ? "would adopt" : "adopted"): \(count(.adopted)) (\(ByteCount(bytes))),"
                + " already there: \(count(.present)), unrecognized: \(count(.unrecognized)),"
                + " failed: \(count(.failed)), other files: \(otherFiles)\n")
        guard waiting > 0 else { return }
        StandardStream.output.write(
            "\(counted(waiting, "picture waits", "pictures wait")) in .apod-mirror/adopted/ for"
                + " NASA's entry; “apod-mirror run” publishes \(waiting == 1 ? "it, unless its" : "each, unless its")"
                + " shape differs from that of NASA's picture\n")
    }

    private func writeJSON(_ otherFiles: Int, _ waiting: Int) {
        func members(_ json: (Kind) -> JSON) -> [JSON.Member] {
            Kind.allCases.map { JSON.Member(key: $0.rawValue, value: json($0)) }
        }
        let otherCounts: JSON = [
            "other_files": .integer(otherFiles), "waiting": .integer(waiting),
        ]
        let totals: JSON = [
            "dry_run": .bool(isDryRun),
            "counts": .object(members { .integer(count($0)) } + otherCounts.members),
            "bytes": .integer(bytes),
        ]
        let files = members { .array(lists[$0] ?? []) }
        StandardStream.output.write(json: JSON.object(totals.members + files).document)
    }
}
