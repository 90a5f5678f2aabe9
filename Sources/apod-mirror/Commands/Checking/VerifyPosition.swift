import APOD
import FoundationEssentials
import JSON
import Mirror
import Platform

/// Where an interrupted `verify` continues: `$XDG_STATE_HOME/apod-mirror/verify-ID.json`, with other options
/// `verify-ID-quick-30d.json`.
///
/// Outside the tree, which `verify` does not change and may not be able to. It is valid for a day.
struct VerifyPosition {
    private static let lifetime = 86_400.0

    /// The directory, and the name of the file in it; `nil` without a home directory.
    private let directory: String?
    private let name: String
    private let now = Date()

    /// Named days are verified from the beginning: they have no position.
    init(
        of tree: Tree, _ scope: VerifyScope, since: Since?, isQuick: Bool,
        _ environment: [String: String]
    ) {
        let isResumable = if case .days = scope { false } else { true }
        let digits = tree.id.filter { $0.isLetter || $0.isNumber || $0 == "-" }
        directory = digits.isEmpty || !isResumable ? nil : KnownMirrors.stateDirectory(environment)
        // Not the range of days, which a new day changes.
        let days = since.map { $0 == .all ? "" : "-\($0)" } ?? ""
        name = "verify-\(digits.prefix(64))\(isQuick ? "-quick" : "")\(days).json"
    }

    /// The first day that was not verified, and the days with damage before it.
    func load() -> (next: Day, days: [Day])? {
        guard let directory, let folder = try? Directory(opening: directory),
            let bytes = try? folder.read(name, limit: 4 << 20),
            let json = try? JSON(parsing: bytes),
            let at = json["at"]?.string.flatMap(Date.init(timestamp:)),
            0...Self.lifetime ~= now.timeIntervalSince(at) + 1,
            let next = json["next"]?.string.flatMap({ Day(iso: $0) }),
            case .array(let days) = json["days"]
        else { return nil }
        return (next, days.compactMap { $0.string.flatMap { Day(iso: $0) } })
    }

    /// Returns whether it was saved.
    func save(_ next: Day, days: Set<Day>) -> Bool {
        let json: JSON = [
            "at": .string(now.timestamp), "next": .string("\(next)"),
            "days": .array(days.sorted().map { .string("\($0)") }),
        ]
        do {
            guard let directory else { return false }
            let folder = try Directory(opening: "/")
                .makeDirectory(String(directory.dropFirst()), mode: 0o700)
            try AtomicFile.publish(json.document, in: folder, as: name, through: folder)
            return true
        } catch {
            return false
        }
    }

    func remove() {
        guard let directory, let folder = try? Directory(opening: directory) else { return }
        try? folder.remove(name)
    }
}
