/// Somebody who does things in `favorites`, most of them sensible, none of them planned.
///
/// The same seed does the same things.
struct RandomUser {
    private static let names: [Path] = [
        "a", "b", "c", "\n", "ü", Path([0xFF, 0xFE]), "a picture.jpg",
    ]

    let disk: Disk
    private var generator: Generator
    /// How many operations were done, by name; what could not be done is not counted.
    private(set) var done: [String: Int] = [:]

    init(seed: UInt64, disk: Disk) {
        self.disk = disk
        generator = Generator(state: seed)
    }

    mutating func doSomething() {
        let target: Path = "/\(Int.random(in: 0..<1000, using: &generator))"
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<25: count("mkdir", disk.makeFolder(path()))
        case 25..<50: count("symlink", disk.link(path(), to: target))
        case 50..<58: count("replace", disk.replaceLink(path(), to: target))
        case 58..<74: count("rename", disk.rename(path(), path()))
        case 74..<82: count("unlink", disk.unlink(path()))
        case 82..<87: count("rmdir", disk.removeFolder(path()))
        case 87..<92: count("move out", disk.rename(path(), "outside" / name()))
        case 92..<97: count("move in", disk.rename("outside" / name(), path()))
        default: replaceAll()
        }
    }

    /// Another folder, perhaps one that was there before, takes the place of the whole.
    private mutating func replaceAll() {
        let (old, new) = (name(), name())
        count("rename all", disk.rename("favorites", "outside" / old))
        if Bool.random(using: &generator) {
            count("rename back", disk.rename("outside" / new, "favorites"))
        }
        count("remake all", disk.makeFolder("favorites"))
    }

    private mutating func path() -> Path {
        var path = "favorites" / name()
        while Int.random(in: 0..<3, using: &generator) > 0, path.bytes.count < 60 {
            path = path / name()
        }
        return path
    }

    private mutating func name() -> Path {
        Self.names[Int.random(in: 0..<Self.names.count, using: &generator)]
    }

    private mutating func count(_ name: String, _ isDone: Bool) {
        if isDone { done[name, default: 0] += 1 }
    }
}

/// See Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
