import JSON
import Maintenance
import Mirror
import Platform
import Service

/// Prints what became of each file that ``AdoptCommand`` found: a line for each at once, or one JSON document at the end.
///
/// It is a class, because `Adoption` reports the events through a closure.
final class AdoptionReport {
    /// The path of the adopted directory.
    private let source: String
    private let isJSON: Bool
    private let isDryRun: Bool
    /// The latest event of each file.
    private var events: [AdoptionEvent] = []

    init(of source: String, isJSON: Bool, isDryRun: Bool) {
        self.source = source
        self.isJSON = isJSON
        self.isDryRun = isDryRun
    }

    // MARK: Events

    func add(_ event: AdoptionEvent) {
        events.append(event)
        if let line = line(of: event) { print(line) }
    }

    /// Turns an adopted picture that the sync did not use into an unrecognized file; warns of any other item.
    func add(_ item: MovedItem) {
        guard item.path.isPath(in: Layout.adopted) else { return warn(item.text.printableLine) }
        let adoptedDay = FileName.day(of: Layout.split(item.path).name)
        // The path in the mirror, for a picture that an earlier adoption imported: it is not among the events.
        var path = item.path
        for (index, event) in events.enumerated() {
            guard case .adopted(let adoptedPath, adoptedDay, _) = event else { continue }
            path = adoptedPath
            events.remove(at: index)
            break
        }
        add(.unrecognized(path: path, reason: item.reason))
    }

    /// The line about a file; `nil` if the mirror has the same picture.
    private func line(of event: AdoptionEvent) -> String? {
        switch event {
        case .adopted(let path, let day, _): "\(day)  \(path.printableLine)"
        case .present(_, _, differs: false): nil
        case .present(let path, let day, differs: true):
            "\(day)  \(path.printableLine): the mirror has another picture, which stays"
        case .unrecognized(let path, let reason):
            "unrecognized: \(path.printableLine): \(reason.printableLine)"
        case .failed(_, let error): "failed: \(reason(of: error).printableLine)"
        }
    }

    /// Why a file could not be read or written; a file of the mirror has its own remedy.
    private func reason(of error: SystemError) -> String {
        error.path.isPath(in: source) ? error.description : error.advice
    }

    // MARK: Totals

    /// Whether some file could not be read or written.
    var hasFailed: Bool { count(.failed) > 0 }

    private func count(_ kind: AdoptionEvent.Kind) -> Int { events.count { $0.kind == kind } }

    /// The bytes of the adopted files.
    private var bytes: Int {
        events.lazy.map { if case .adopted(_, _, let bytes) = $0 { bytes } else { 0 } }
            .saturatingSum()
    }

    /// Whether this user may not read some file of the source.
    private var isDenied: Bool {
        events.contains {
            guard case .failed(_, let error) = $0 else { return false }
            return error.path.isPath(in: source) && error.cause == .denied
        }
    }

    /// Prints the totals.
    ///
    /// `otherFiles` is the number of files that are no pictures; `waiting` is the number of adopted pictures whose entry
    /// was not requested yet.
    func finish(otherFiles: Int, waiting: Int) {
        if isDenied { warn(AdoptCommand.accessAdvice(for: source)) }
        guard !isJSON else {
            let json = json(otherFiles: otherFiles, waiting: waiting)
            return StandardStream.output.write(json: json.document)
        }
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

    private func print(_ line: String) {
        if !isJSON { StandardStream.output.write("\(line)\n") }
    }

    // MARK: JSON

    /// The totals, and a list of the files of each kind.
    private func json(otherFiles: Int, waiting: Int) -> JSON {
        func memberForEachKind(_ value: (AdoptionEvent.Kind) -> JSON) -> [JSON.Member] {
            AdoptionEvent.Kind.allCases.map { JSON.Member(key: $0.rawValue, value: value($0)) }
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
            .array(events.filter { $0.kind == kind }.map(json(of:)))
        }
        return .object(totals + lists)
    }

    private func json(of event: AdoptionEvent) -> JSON {
        switch event {
        case .adopted(let path, let day, let bytes):
            ["date": .string("\(day)"), "file": .string(path), "bytes": .integer(bytes)]
        case .present(let path, let day, let differs):
            ["date": .string("\(day)"), "file": .string(path), "differs": .bool(differs)]
        case .unrecognized(let path, let reason):
            ["file": .string(path), "reason": .string(reason)]
        case .failed(let path, let error):
            ["file": .string(path), "reason": .string(reason(of: error))]
        }
    }
}

extension AdoptionEvent {
    /// What became of a file, by the name in the JSON.
    fileprivate enum Kind: String, CaseIterable {
        case adopted, present, unrecognized, failed
    }

    fileprivate var kind: Kind {
        switch self {
        case .adopted: .adopted
        case .present: .present
        case .unrecognized: .unrecognized
        case .failed: .failed
        }
    }
}
