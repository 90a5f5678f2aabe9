import APOD
import FoundationEssentials
import JSON
import Mirror
import Platform

/// Where an interrupted `verify` continues: `$XDG_STATE_HOME/apod-mirror/verify-ID.json`.
///
/// Outside the tree, which `verify` does not change and may not be able to. It has a position for each
/// combination of options, and each is valid for a day.
struct VerifyPosition {
    private static let lifetime = 86_400.0

    /// The directory, and the name of the file in it; `nil` without a home directory.
    private let directory: String?
    private let name: String
    /// What is verified: a position is valid for nothing else.
    private let scope: String
    private let now = Date()

    init(of tree: Tree, _ scope: VerifyScope, isQuick: Bool, _ environment: [String: String]) {
        let isResumable = if case .days = scope { false } else { true }
        let digits = tree.id.filter { $0.isLetter || $0.isNumber || $0 == "-" }
        directory = digits.isEmpty || !isResumable ? nil : KnownMirrors.stateDirectory(environment)
        name = "verify-\(digits.prefix(64)).json"
        self.scope = "\(isQuick ? "quick " : "")\(scope)"
    }

    /// The first day that was not verified, and the days with damage before it.
    func load() -> (next: Day, days: [Day])? {
        guard let directory, let folder = try? Directory(opening: directory),
            let json = valid(in: folder).first(where: isOwn),
            let next = json["next"]?.string.flatMap({ Day(iso: $0) }),
            case .array(let days) = json["days"]
        else { return nil }
        return (next, days.compactMap { $0.string.flatMap { Day(iso: $0) } })
    }

    /// The stored positions that are valid still, of all options.
    private func valid(in folder: Directory) -> [JSON] {
        guard let bytes = try? folder.read(name, limit: 4 << 20),
            let json = try? JSON(parsing: bytes), case .array(let positions) = json["positions"]
        else { return [] }
        return positions.filter { position in
            let at = position["at"]?.string.flatMap(Date.init(timestamp:))
            return at.map { 0...Self.lifetime ~= now.timeIntervalSince($0) + 1 } ?? false
        }
    }

    private func isOwn(_ position: JSON) -> Bool { position["scope"]?.string == scope }

    /// Returns whether it was saved.
    func save(_ next: Day, days: Set<Day>) -> Bool {
        let json: JSON = [
            "at": .string(now.timestamp), "scope": .string(scope), "next": .string("\(next)"),
            "days": .array(days.sorted().map { .string("\($0)") }),
        ]
        do {
            guard let directory else { return false }
            let folder = try Directory(opening: "/")
                .makeDirectory(String(directory.dropFirst()), mode: 0o700)
            try write(valid(in: folder).filter { !isOwn($0) } + [json], in: folder)
            return true
        } catch {
            return false
        }
    }

    func remove() {
        guard let directory, let folder = try? Directory(opening: directory) else { return }
        let others = valid(in: folder).filter { !isOwn($0) }
        others.isEmpty ? try? folder.remove(name) : try? write(others, in: folder)
    }

    private func write(_ positions: [JSON], in folder: Directory) throws {
        let json: JSON = ["positions": .array(positions)]
        try AtomicFile.publish(json.document, in: folder, as: name, through: folder)
    }
}
