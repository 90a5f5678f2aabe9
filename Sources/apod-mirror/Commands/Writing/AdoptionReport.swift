import JSON
import Maintenance
import Mirror
import Platform
import Service

/// Prints the results of `adopt`: a line for each file at once, or one JSON document at the end.
final class AdoptionReport {
    /// The kinds of results, as the JSON names them.
    private enum Kind: String, CaseIterable {
        case adopted, present, unrecognized, failed
    }

    private let isJSON: Bool
    private let isDryRun: Bool
    /// The path of the directory that is adopted.
    private let source: String
    private var counts: [Kind: Int] = [:]
    /// The files of each kind for the JSON; empty without it.
    private var lists: [Kind: [JSON]] = [:]
    /// The bytes of the adopted files.
    private var bytes = 0
    /// Whether permission was missing to read some file.
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
            bytes = bytes.addingSaturating(size)
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
            isDenied = isDenied || error.cause == .denied
            list(
                .failed, line: "failed: \(error.description.printableLine)",
                ["file": .string(path), "reason": .string(error.description)])
        }
    }

    /// Lists a file; one with nothing to say has no `line`.
    private func list(_ kind: Kind, line: String?, _ item: JSON) {
        counts[kind, default: 0] += 1
        if isJSON {
            lists[kind, default: []].append(item)
        } else if let line {
            StandardStream.output.write("\(line)\n")
        }
    }

    /// Prints the totals.
    ///
    /// `otherFiles` counts files that are no pictures, and `waiting` adopted pictures whose entry was not requested yet.
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
                + " NASA's entry; “apod-mirror run” publishes \(waiting == 1 ? "it" : "them")\n")
    }

    private func writeJSON(_ otherFiles: Int, _ waiting: Int) {
        func members(_ value: (Kind) -> JSON) -> [JSON.Member] {
            Kind.allCases.map { JSON.Member(key: $0.rawValue, value: value($0)) }
        }
        let rest: JSON = [
            "other_files": .integer(otherFiles), "waiting": .integer(waiting),
        ]
        let document: JSON = [
            "dry_run": .bool(isDryRun),
            "counts": .object(members { .integer(count($0)) } + rest.members),
            "bytes": .integer(bytes),
        ]
        let files = members { .array(lists[$0] ?? []) }
        StandardStream.output.write(json: JSON.object(document.members + files).document)
    }
}
