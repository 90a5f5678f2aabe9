import TestSupport

/// A user who applies random operations to `favorites`.
///
/// The same seed yields the same operations.
struct RandomUser {
    private static let names: [Path] = [
        "a", "b", "c", "\n", "ü", Path([0xFF, 0xFE]), "a picture.jpg",
    ]

    let disk: Disk
    private var generator: SplitMix
    private var made: [Path] = []
    private var folders: [Path] = []
    /// The number of successful operations by name.
    private(set) var done: [String: Int] = [:]
    var count: Int { done.values.reduce(0, +) }

    init(seed: UInt64, disk: Disk) {
        self.disk = disk
        generator = SplitMix(state: seed)
    }

    mutating func performOperation() {
        let target: Path = "/\(Int.random(in: 0..<1000, using: &generator))"
        let (old, new) = (known(), path())
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<25:
            count("mkdir", disk.makeDirectory(new), made: new)
            folders = (folders + [new]).suffix(8)
        case 25..<50: count("symlink", disk.link(new, to: target), made: new)
        case 50..<58: count("replace", disk.replaceLink(old, to: target))
        case 58..<74: count("rename", disk.rename(old, new), made: new)
        case 74..<80: count("unlink", disk.unlink(old))
        case 80..<86: count("rmdir", disk.removeFolder(old))
        case 86..<92: count("move out", disk.rename(old, "outside" / name()))
        case 92..<98: count("move in", disk.rename("outside" / name(), new), made: new)
        default: replaceAll()
        }
    }

    /// Replaces `favorites` by another directory, perhaps an earlier one.
    private mutating func replaceAll() {
        let (old, new) = (name(), name())
        count("rename all", disk.rename("favorites", "outside" / old))
        if Bool.random(using: &generator) {
            count("rename back", disk.rename("outside" / new, "favorites"))
        }
        count("remake all", disk.makeDirectory("favorites"))
    }

    /// A name in a recent directory, or in an item that may be a link.
    private mutating func path() -> Path {
        let folders = folders + ["favorites", known()]
        let folder = folders.randomElement(using: &generator) ?? "favorites"
        return (folder.bytes.count < 100 ? folder : "favorites") / name()
    }

    private mutating func known() -> Path {
        made.randomElement(using: &generator) ?? "favorites" / name()
    }

    private mutating func name() -> Path {
        Self.names[Int.random(in: 0..<Self.names.count, using: &generator)]
    }

    private mutating func count(_ name: String, _ isDone: Bool, made path: Path? = nil) {
        guard isDone else { return }
        done[name, default: 0] += 1
        made += [path].compactMap(\.self)
        made = made.suffix(15)
    }
}
