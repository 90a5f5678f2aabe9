import APOD
import JSON
import Maintenance
import Mirror
import Platform
import Service

/// Prints what became of each file that ``AdoptCommand`` found: a line for each at once, or one JSON document at the end.
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
    /// The files of each kind as JSON; empty without `--json`.
    private var jsonFiles: [Kind: [JSON]] = [:]
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
            record(
                .adopted, line: "\(day)  \(path.printableLine)",
                ["date": .string("\(day)"), "file": .string(path), "bytes": .integer(size)])
        case .present(let path, let day, let differs):
            let line = "\(day)  \(path.printableLine): the mirror has another picture, which stays"
            record(
                .present, line: differs ? line : nil,
                ["date": .string("\(day)"), "file": .string(path), "differs": .bool(differs)])
        case .unrecognized(let path, let reason):
            record(
                .unrecognized, line: "unrecognized: \(path.printableLine): \(reason.printableLine)",
                ["file": .string(path), "reason": .string(reason)])
        case .failed(let path, let error):
            // A file of the mirror has its own remedy.
            let isOfSource = error.path.isPath(in: source)
            isDenied = isDenied || isOfSource && error.cause == .denied
            let reason = isOfSource ? error.description : error.advice
            record(
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
            jsonFiles[.adopted]?.removeAll { $0["date"]?.string == "\(unused.day)" }
        }
        add(.unrecognized(path: path, reason: unused.reason))
    }

    /// Counts a file, and prints its `line`, if it has one, or keeps its `json`.
    private func record(_ kind: Kind, line: String?, _ json: JSON) {
        counts[kind, default: 0] += 1
        if isJSON {
            jsonFiles[kind, default: []].append(json)
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
            StandardStream.error.write("apod-mirror: \(Self.accessAdvice(for: source))\n")
        }
        guard !isJSON else { return writeJSON(otherFiles: otherFiles, waiting: waiting) }
        StandardStream.output.write(
            "\(isDryRun ? "would adopt" : "adopted"): \(count(.adopted)) (\(ByteCount(bytes))),"
                + " already there: \(count(.present)), unrecognized: \(count(.unrecognized)),"
                + " failed: \(count(.failed)), other files: \(otherFiles)\n")
        guard waiting > 0 else { return }
        StandardStream.output.write(
            "\(counted(waiting, "picture waits", "pictures wait")) in .apod-mirror/adopted/ for"
                + " NASA's entry; “apod-mirror run” publishes \(waiting == 1 ? "it" : "each"), unless its shape"
                + " differs from that of NASA's picture\n")
    }

    private func writeJSON(otherFiles: Int, waiting: Int) {
        func memberForEachKind(_ value: (Kind) -> JSON) -> [JSON.Member] {
            Kind.allCases.map { JSON.Member(key: $0.rawValue, value: value($0)) }
        }
        let counts =
            memberForEachKind { .integer(count($0)) } + [
                JSON.Member(key: "other_files", value: .integer(otherFiles)),
                JSON.Member(key: "waiting", value: .integer(waiting)),
            ]
        let totals = [
            JSON.Member(key: "dry_run", value: .bool(isDryRun)),
            JSON.Member(key: "counts", value: .object(counts)),
            JSON.Member(key: "bytes", value: .integer(bytes)),
        ]
        let files = memberForEachKind { .array(jsonFiles[$0] ?? []) }
        StandardStream.output.write(json: JSON.object(totals + files).document)
    }

    // MARK: Advice

    /// What to do if this user may not read the source at `path`, or files in it.
    static func accessAdvice(for path: String) -> String {
        // A network disk may give no rights to root, whatever the permissions say.
        guard Account.effectiveUserID != 0 else {
            return "not even root may read it; copy the pictures to a disk of this machine"
        }
        let id = Account.effectiveUserID
        return "“adopt” reads as \(Account.name(ofUser: id)): give that user access, such as with"
            + " “setfacl -R -m u:\(Account.knownName(ofUser: id) ?? "\(id)"):rX \(path.shellWord)”"
    }
}
