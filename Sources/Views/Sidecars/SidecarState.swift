internal import JSON
internal import Mirror
internal import Platform

/// Which months have sidecars that are up to date: `.apod-mirror/sidecars.json`, which may be deleted.
struct SidecarState: Equatable {
    /// For months such as `2026-11` the ``InputDigest`` of their files while their sidecars were up to date.
    var months: [String: String] = [:]

    static let path = Layout.own + "/sidecars.json"

    init(in root: Directory) throws(SystemError) {
        guard let bytes = try root.read(Self.path), let json = try? JSON(parsing: bytes) else {
            return
        }
        for month in json["months"]?.members ?? [] { months[month.key] = month.value.string }
    }

    var json: JSON {
        let months = months.sorted { $0.key < $1.key }
        return ["months": .object(months.map { .init(key: $0.key, value: .string($0.value)) })]
    }
}
