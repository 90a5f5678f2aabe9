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

    private struct File {
        let kind: Kind
        let path: String
        /// The day and the size of an adopted file.
        var day: Day?
        var bytes = 0
        let json: JSON
    }

    private let isJSON: Bool
    private let isDryRun: Bool
    /// The path of the adopted directory.
    private let source: String
    private var files: [File] = []
    /// Whether this user may not read some file of the source.
    private var isDenied = false

    init(of source: String, isJSON: Bool, isDryRun: Bool) {
        self.source = source
        self.isJSON = isJSON
        self.isDryRun = isDryRun
    }

    /// Whether some file could not be read or written.
    var hasFailed: Bool { count(.failed) > 0 }

    private func count(_ kind: Kind) -> Int { files.count { $0.kind == kind } }

    func add(_ event: AdoptionEvent) {
        switch event {
        case .adopted(let path, let day, let bytes):
            let json: JSON = [
                "date": .string("\(day)"), "file": .string(path), "bytes": .integer(bytes),
            ]
            files.append(File(kind: .adopted, path: path, day: day, bytes: bytes, json: json))
            print("\(day)  \(path.printableLine)")
        case .present(let path, let day, let differs):
            let json: JSON = [
                "date": .string("\(day)"), "file": .string(path), "differs": .bool(differs),
            ]
            files.append(File(kind: .present, path: path, json: json))
            guard differs else { return }
            print("\(day)  \(path.printableLine): the mirror has another picture, which stays")
        case .unrecognized(let path, let reason):
            addUnused(.unrecognized, path, reason)
            print("unrecognized: \(path.printableLine): \(reason.printableLine)")
        case .failed(let path, let error):
            let isOfSource = error.path.isPath(in: source)
            if isOfSource, error.cause == .denied { isDenied = true }
            // A file of the mirror has its own remedy.
            let reason = isOfSource ? error.description : error.advice
            addUnused(.failed, path, reason)
            print("failed: \(reason.printableLine)")
        }
    }

    /// Turns an adopted picture that the sync did not use into an unrecognized file.
    func add(_ unused: UnusedImport) {
        // An earlier adoption may have imported it: then it is not among the files.
        let index = files.firstIndex { $0.day == unused.day }
        let path = index.map { files.remove(at: $0).path } ?? unused.path
        add(.unrecognized(path: path, reason: unused.reason))
    }

    private func addUnused(_ kind: Kind, _ path: String, _ reason: String) {
        let json: JSON = ["file": .string(path), "reason": .string(reason)]
        files.append(File(kind: kind, path: path, json: json))
    }

    private func print(_ line: String) {
        if !isJSON { StandardStream.output.write("\(line)\n") }
    }

    /// Prints the totals.
    ///
    /// `otherFiles` is the number of files that are no pictures; `waiting` is the number of adopted pictures whose entry
    /// was not requested yet.
    func finish(otherFiles: Int, waiting: Int) {
        if isDenied {
            StandardStream.error.write("apod-mirror: \(AdoptCommand.accessAdvice(for: source))\n")
        }
        let bytes = files.lazy.map(\.bytes).saturatingSum()
        guard !isJSON else { return writeJSON(otherFiles: otherFiles, waiting: waiting, bytes) }
        print(
            "\(isDryRun ? "would adopt" : "adopted"): \(count(.adopted)) (\(ByteCount(bytes))),"
                + " already there: \(count(.present)), unrecognized: \(count(.unrecognized)),"
                + " failed: \(count(.failed)), other files: \(otherFiles)")
        guard waiting > 0 else { return }
        print(
            "\(counted(waiting, "picture waits", "pictures wait")) in .apod-mirror/adopted/ for"
                + " NASA's entry; “apod-mirror run” publishes \(waiting == 1 ? "it" : "each"), unless its shape"
                + " differs from that of NASA's picture")
    }

    /// Says that no favorites are imported, and how to add those of `mirrors` to the mirror in `root`.
    func printFavorites(of mirrors: [String], notIn root: String) {
        for mirror in mirrors {
            let list = "apod-mirror favorites list --json --root \(mirror.shellWord)"
            let add = "xargs apod-mirror favorites add --root \(root.shellWord)"
            print(
                "the favorites of \(mirror.printableLine) are not imported;"
                    + " “\(list) | jq -r '.favorites[].date' | \(add)” adds them")
        }
    }

    private func writeJSON(otherFiles: Int, waiting: Int, _ bytes: Int) {
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
        let lists = memberForEachKind { kind in
            .array(files.filter { $0.kind == kind }.map(\.json))
        }
        StandardStream.output.write(json: JSON.object(totals + lists).document)
    }
}
