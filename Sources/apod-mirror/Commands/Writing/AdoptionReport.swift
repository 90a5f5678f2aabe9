import JSON
import Maintenance
import Mirror
import Platform
import Service

/// Prints the results of an adoption: a line for each file at once, or one JSON document at the end.
///
/// Only the first files of each kind are listed: a source may have a million.
final class AdoptionReport {
    /// The kinds of results, as the JSON names them.
    private enum Kind: String, CaseIterable {
        case adopted, present, repaired, unrecognized, failed
    }

    private let isJSON: Bool
    private let isDryRun: Bool
    private var counts: [Kind: Int] = [:]
    /// Of the adopted files.
    private var bytes = 0
    /// The path of the directory that is adopted.
    private let source: String
    /// Whether permission was missing to read a file.
    private var isDenied = false
    private var lists: [Kind: [JSON]] = [:]

    /// The maximum number of listed files of each kind.
    private var limit: Int { isJSON ? 20_000 : 50 }

    init(of source: String, isJSON: Bool, isDryRun: Bool) {
        self.source = source
        self.isJSON = isJSON
        self.isDryRun = isDryRun
    }

    var hasFailed: Bool { count(.failed) > 0 }

    private func count(_ kind: Kind) -> Int { counts[kind] ?? 0 }

    func add(_ event: AdoptionEvent) {
        switch event {
        case .adopted(let path, let day, let recognition, let size):
            bytes = bytes.addingSaturating(size)
            add(
                .adopted, "\(day)  \(path.printableLine)",
                [
                    "day": .string("\(day)"), "file": .string(path), "bytes": .integer(size),
                    "recognized_by": .string(recognition.rawValue),
                ])
        case .present(let path, let day, let differs):
            add(
                .present,
                differs
                    ? "\(day)  \(path.printableLine): the mirror has another picture, which stays"
                    : nil,
                ["day": .string("\(day)"), "file": .string(path), "differs": .bool(differs)])
        case .repaired(let path, let day, let fields):
            let names = fields.map(\.rawValue)
            add(
                .repaired,
                "\(day)  \(path.printableLine): \(names.joined(separator: ", "))",
                [
                    "day": .string("\(day)"), "file": .string(path),
                    "fields": .array(names.map(JSON.string)),
                ])
        case .unrecognized(let path, let reason):
            add(
                .unrecognized, "unrecognized: \(path.printableLine): \(reason.printableLine)",
                ["file": .string(path), "reason": .string(reason)])
        case .failed(let path, let error):
            isDenied = isDenied || error.isPermissionDenied
            add(
                .failed, "failed: \(error.description.printableLine)",
                ["file": .string(path), "reason": .string(error.description)])
        }
    }

    private func add(_ kind: Kind, _ line: String?, _ item: JSON) {
        counts[kind, default: 0] += 1
        guard count(kind) <= limit else { return }
        if isJSON {
            lists[kind, default: []].append(item)
        } else if let line {
            StandardStream.output.write("\(line)\n")
        }
    }

    /// Prints the totals.
    ///
    /// - Parameters:
    ///   - others: The number of files that are neither pictures nor metadata.
    ///   - waiting: The number of adopted pictures whose entry was not requested yet.
    ///   - texts: The results for the texts; without, none were read.
    func end(_ others: Int, waiting: Int = 0, texts: TextAdoption.Counts = .init()) {
        if isDenied {
            StandardStream.error.write("apod-mirror: \(AdoptCommand.accessAdvice(for: source))\n")
        }
        guard !isJSON else { return writeJSON(others, waiting, texts) }
        StandardStream.output.write(
            "\(isDryRun ? "would adopt" : "adopted"): \(count(.adopted)) (\(ByteCount(bytes))),"
                + " already there: \(count(.present)), unrecognized: \(count(.unrecognized)),"
                + " failed: \(count(.failed)), other files: \(others)\n")
        if texts.files > 0 {
            StandardStream.output.write(
                "\(isDryRun ? "would repair" : "repaired") texts: \(count(.repaired)),"
                    + " not better: \(texts.notBetter), days without a record: \(texts.unrecorded)\n"
            )
        }
        if max(count(.adopted), count(.repaired), count(.unrecognized), count(.failed)) > limit {
            StandardStream.output.write("--json lists up to 20,000 of each kind\n")
        }
        guard waiting > 0 else { return }
        StandardStream.output.write(
            "\(counted(waiting, "picture waits", "pictures wait")) in .apod-mirror/adopted/ for"
                + " NASA's entry; “apod-mirror run” publishes \(waiting == 1 ? "it" : "them")\n")
    }

    private func writeJSON(_ others: Int, _ waiting: Int, _ texts: TextAdoption.Counts) {
        func members(_ value: (Kind) -> JSON) -> [JSON.Member] {
            Kind.allCases.map { JSON.Member(key: $0.rawValue, value: value($0)) }
        }
        let rest: JSON = [
            "other_files": .integer(others), "waiting": .integer(waiting),
            "not_better": .integer(texts.notBetter), "unrecorded": .integer(texts.unrecorded),
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
