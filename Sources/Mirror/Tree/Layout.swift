package import APOD

/// Where things lie in the tree, relative to its root.
package enum Layout {
    /// Ours: nothing a person needs to open.
    package static let own = ".apod-mirror"
    package static let marker = own + "/mirror.json"
    package static let state = own + "/state.json"
    /// What a daemon says of itself.
    package static let service = own + "/service.json"
    package static let lock = "lock"
    package static let incoming = own + "/incoming"
    package static let previous = own + "/previous"
    /// What was found among the files of the mirror and is not its own.
    package static let aside = own + "/aside"

    /// What the directories begin with that a doctor makes where there is no mirror yet.
    package static let doctor = own + "-doctor-"

    package static let pictures = "pictures"
    package static let metadata = "metadata"
    package static let thumbnails = "thumbnails"

    /// The folder of `day` below ``pictures`` or ``metadata``: `pictures/2026/2026-11`.
    package static func folder(_ top: String, of day: Day) -> String {
        let month = "\(day)".prefix(7)
        return "\(top)/\(month.prefix(4))/\(month)"
    }

    /// The name of the commit record of `day`.
    package static func record(of day: Day) -> String { "\(day).json" }

    /// The path of the small picture of `day`.
    package static func thumbnail(of day: Day) -> String {
        "\(folder(thumbnails, of: day))/\(day).jpg"
    }

    /// Splits a path of the tree into its folder and its name.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}
