import Glibc
import JSON
import Mirror
import Platform
import Service

/// Prints the results of an adoption: a line for each file as it happens, or one JSON document.
///
/// Lists only the first files of each kind: a source may have a million.
final class AdoptionReport {
    private let isJSON: Bool
    private let isDryRun: Bool
    private var counts = (adopted: 0, present: 0, unrecognized: 0, failed: 0)
    private var bytes = 0
    /// The path of the directory that is adopted.
    private let source: String
    private var isDenied = false
    private var lists: [String: [JSON]] = [:]

    private var limit: Int { isJSON ? 20_000 : 50 }

    init(of source: String, isJSON: Bool, isDryRun: Bool) {
        self.source = source
        self.isJSON = isJSON
        self.isDryRun = isDryRun
    }

    var hasFailed: Bool { counts.failed > 0 }

    func add(_ event: AdoptionEvent) {
        switch event {
        case .adopted(let path, let day, let recognition, let size):
            counts.adopted += 1
            bytes = bytes.addingSaturating(size)
            list(
                "adopted", counts.adopted, "\(day)  \(path.printableLine)",
                [
                    "day": .string("\(day)"), "file": .string(path), "bytes": .integer(size),
                    "recognized_by": .string(recognition.rawValue),
                ])
        case .present(let path, let day, let differs):
            counts.present += 1
            list(
                "present", counts.present,
                differs
                    ? "\(day)  \(path.printableLine): the mirror has another picture, which stays"
                    : nil,
                ["day": .string("\(day)"), "file": .string(path), "differs": .bool(differs)])
        case .unrecognized(let path, let reason):
            counts.unrecognized += 1
            list(
                "unrecognized", counts.unrecognized,
                "unrecognized: \(path.printableLine): \(reason.printableLine)",
                ["file": .string(path), "reason": .string(reason)])
        case .failed(let path, let error):
            counts.failed += 1
            isDenied = isDenied || error.code == EACCES
            list(
                "failed", counts.failed, "failed: \(error.description.printableLine)",
                ["file": .string(path), "reason": .string(error.description)])
        }
    }

    private func list(_ kind: String, _ count: Int, _ line: String?, _ item: JSON) {
        guard count <= limit else { return }
        if isJSON {
            lists[kind, default: []].append(item)
        } else if let line {
            StandardStream.output.write("\(line)\n")
        }
    }

    /// - Parameters:
    ///   - others: The number of files that are no pictures.
    ///   - waiting: The number of days that wait for NASA's entry.
    func end(_ others: Int, waiting: Int = 0) {
        if isDenied {
            StandardStream.error.write("apod-mirror: \(AdoptCommand.accessAdvice(for: source))\n")
        }
        guard !isJSON else { return writeJSON(others, waiting) }
        let (present, unrecognized) = (counts.present, counts.unrecognized)
        let more = max(counts.adopted, unrecognized, counts.failed) > limit
        StandardStream.output.write(
            "\(isDryRun ? "would adopt" : "adopted"): \(counts.adopted) (\(ByteCount(bytes))),"
                + " already there: \(present), unrecognized: \(unrecognized),"
                + " failed: \(counts.failed), other files: \(others)\n")
        if more { StandardStream.output.write("--json lists all\n") }
        guard waiting > 0 else { return }
        StandardStream.output.write(
            "\(counted(waiting, "picture waits", "pictures wait")) in .apod-mirror/adopted/ for"
                + " NASA's entry; “apod-mirror run” publishes it\n")
    }

    private func writeJSON(_ others: Int, _ waiting: Int) {
        func items(_ kind: String) -> JSON { .array(lists[kind] ?? []) }
        let document: JSON = [
            "dry_run": .bool(isDryRun),
            "counts": [
                "adopted": .integer(counts.adopted), "present": .integer(counts.present),
                "unrecognized": .integer(counts.unrecognized), "failed": .integer(counts.failed),
                "other_files": .integer(others), "waiting": .integer(waiting),
            ],
            "bytes": .integer(bytes),
            "adopted": items("adopted"), "present": items("present"),
            "unrecognized": items("unrecognized"), "failed": items("failed"),
        ]
        StandardStream.output.write(json: document.document)
    }
}
