internal import APOD
internal import Glibc
internal import JSON
internal import Mirror
internal import Platform

/// Which months have sidecars that are up to date: `.apod-mirror/sidecars.json`, which may be deleted.
struct SidecarState: Equatable {
    /// What ``SidecarMonth/stamp(in:_:)`` was while the sidecars of a month were up to date.
    var stamps: [String: String] = [:]

    static let path = Layout.own + "/sidecars.json"
    /// Raised when sidecars get other fields, so that all are written again.
    private static let format = 1

    init(in root: Directory) throws(SystemError) {
        guard let bytes = try root.read(Self.path), let json = try? JSON(parsing: bytes),
            json["format"]?.integer == Self.format
        else { return }
        for month in json["months"]?.members ?? [] { stamps[month.key] = month.value.string }
    }

    var json: JSON {
        [
            "format": .integer(Self.format),
            "months": .object(
                stamps.sorted { $0.key < $1.key }.map {
                    .init(key: $0.key, value: .string($0.value))
                }),
        ]
    }
}

/// The directories of a month, such as `2026-11`.
struct SidecarMonth {
    let name: String

    var metadata: String { path(Layout.metadata) }
    var pictures: String { path(Layout.pictures) }

    private func path(_ top: String) -> String { "\(top)/\(name.prefix(4))/\(name)" }

    /// Identifies the names in the directories and the favorites of the month; `nil` right after a change, as a
    /// clock of the file system can give the next change the same time.
    func stamp(in root: Directory, _ favorites: Set<Day>) throws(SystemError) -> String? {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let end = Duration(now) - Self.clockStep
        var parts: [String] = []
        for path in [metadata, pictures] {
            let time = try root.status(path)?.exactlyModified ?? .zero
            guard time < end else { return nil }
            parts.append("\(time)")
        }
        return (parts + favorites.sorted().map(\.description)).joined(separator: " ")
    }

    /// Longer than a tick of the kernel.
    private static let clockStep = Duration.milliseconds(20)
}
