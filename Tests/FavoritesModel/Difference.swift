internal import APOD
internal import Favorites
internal import FoundationEssentials
internal import Glibc
package import Mirror
internal import Platform

/// The differences between disk and model, each a sentence.
///
/// A loose comparison checks only that present favorites are recorded and absent ones are not:
/// this holds after the last of any number of scans.
package struct Difference {
    package private(set) var lines: [String] = []
    private let world: World
    private let disk: RealDisk
    private let tree: Tree

    package init(of tree: Tree, _ disk: RealDisk, from world: World, isLoose: Bool = false) throws {
        self.world = world
        self.disk = disk
        self.tree = tree
        try compareFolders()
        try compareRecords(isLoose: isLoose)
        try findForeignFiles()
    }

    private mutating func expect(_ isTrue: Bool, _ line: @autoclosure () -> String) {
        if !isTrue { lines.append(line()) }
    }

    // MARK: Items of users

    private mutating func compareFolders() throws {
        var found: [String: String] = [:]
        for name in ["favorites", "outside"] {
            try scan(at: name, in: tree.root, path: name, &found)
        }
        let wanted = world.disk.things.mapValues { text(of: $0) }
        for path in Set(found.keys).union(wanted.keys).sorted() where found[path] != wanted[path] {
            lines.append(
                "“\(path)” is \(found[path] ?? "nothing"), not \(wanted[path] ?? "nothing")")
        }
    }

    private func text(of thing: Thing) -> String {
        switch thing {
        case .folder: "a folder"
        case .fifo: "a fifo"
        case .link(let target): "a link to \(disk.text(of: target))"
        case .file(let contents, _):
            "a file: \(String(decoding: disk.bytes(of: contents), as: UTF8.self))"
        }
    }

    private func scan(
        at name: String, in folder: Directory, path: String, _ found: inout [String: String]
    ) throws {
        guard let status = try folder.status(name) else { return }
        switch status.kind {
        case .directory:
            found[path] = "a folder"
            guard let inner = try folder.folder(name) else { return }
            let texts = [Layout.favoritesHint, Layout.favoritesReport]
            for name in try inner.textNames() where !texts.contains(name) {
                try scan(at: name, in: inner, path: "\(path)/\(name)", &found)
            }
        case .symbolicLink: found[path] = "a link to \(folder.target(of: name) ?? "")"
        case .file:
            found[path] = "a file: \(String(decoding: try folder.read(name) ?? [], as: UTF8.self))"
        case .other: found[path] = "a fifo"
        }
    }

    // MARK: Items of the mirror

    private mutating func compareRecords(isLoose: Bool) throws {
        let stored = try FavoriteStore(tree: tree).storedFavorites()
        guard !isLoose else { return compareLoosely(stored.favorites) }
        expect(stored.damaged.isEmpty, "damaged: \(stored.damaged)")
        let removed = Set(try FavoriteStore(tree: tree).removedFavorites().keys)
        let wanted = Set(world.removed.keys)
        expect(
            removed == wanted, "kept aside are \(removed.sorted()), not \(wanted.sorted())")
        for day in Set(stored.favorites.keys).union(world.records.keys).sorted() {
            compare(stored.favorites[day], world.records[day], day)
        }
        let (found, pins) = (Set(stored.pins.keys), world.pins)
        expect(found == pins, "pinned are \(found.sorted()), not \(pins.sorted())")
        for (day, name) in stored.pins {
            let bytes = try tree.root.read("\(FavoriteStore.folder)/\(name)")
            expect(bytes == RealDisk.picture(of: day), "the pin of \(day) has other bytes")
        }
    }

    /// Each present favorite is recorded under its names, perhaps under others too; no other one is, unless something
    /// else has one of its names.
    private mutating func compareLoosely(_ found: [Day: Favorite]) {
        guard world.disk["favorites"]?.isFolder == true else { return }
        let seen = Dictionary(grouping: world.meanings, by: \.value).mapValues { $0.map(\.key) }
        for day in Set(found.keys).union(seen.keys).sorted() {
            let names = found[day].flatMap { $0.isMissing ? nil : $0.names.map(\.text) } ?? []
            let isRight =
                seen[day].map { Set(names).isSuperset(of: $0) }
                ?? (found[day]?.isMissing != false || names.contains(where: world.isReplaced))
            expect(isRight, "\(day) is called \(names), not \(seen[day] ?? [])")
        }
    }

    private mutating func compare(_ found: Favorite?, _ wanted: ModelRecord?, _ day: Day) {
        guard let found, let wanted else {
            return lines.append("\(day) is \(found == nil ? "no" : "a") favorite")
        }
        let names = Set(found.names.map(\.text))
        expect(
            names == wanted.names,
            "\(day) is called \(names.sorted()), not \(wanted.names.sorted())")
        let files = Set(found.fileNames.map(\.text))
        expect(
            files == wanted.files,
            "\(day) has the files \(files.sorted()), not \(wanted.files.sorted())")
        let since = found.disappearance.map { Int($0.date.timeIntervalSince1970) }
        expect(found.isHeld == wanted.isHeld, "\(day): held is \(found.isHeld)")
        expect(
            since == wanted.missingSince || found.isHeld && wanted.names.isEmpty,
            "\(day) is missing since \(since ?? 0), not \(wanted.missingSince ?? 0)")
        expect(
            Int(found.added.timeIntervalSince1970) == wanted.added,
            "\(day) was added at another time")
    }

    private mutating func findForeignFiles() throws {
        let own = try tree.root.folder(Layout.own)
        let names = Set(try own?.textNames() ?? []).subtracting([
            "mirror.json", "lock", "lock-holder", "state.json", "service.json", "thumbnails.json",
            "incoming",
            "favorites", "requests", "previous", "verify.json", "trash", "views", "checked.json",
        ])
        expect(names.isEmpty, "foreign files: \(names.sorted())")
        let incoming = try tree.root.folder(Layout.incoming)?.textNames() ?? []
        expect(incoming.isEmpty, "left in incoming: \(incoming)")
        for day in world.mirrored {
            let bytes = try tree.root.read(disk.pictures[day] ?? "")
            expect(bytes == RealDisk.picture(of: day), "the picture of \(day) is not there")
        }
    }
}
