package import APOD

/// A mirror, what a user does to it, and what becomes of the favorites: a pure value.
///
/// It knows the rules and nothing of how they are carried out.
package struct World: Hashable, Sendable {
    package var disk = PaperDisk()
    package static let start = 1_800_000_000
    /// In seconds.
    package var now = start
    /// By a clock that nobody sets, since the machine started.
    package var uptime = 1000
    /// How often the machine started again.
    package var boots = 0
    /// What was a favorite and is kept aside.
    package var removed: Set<Day> = []
    package var mirrored: Set<Day>
    package var latest: Day
    package var records: [Day: PaperRecord] = [:]
    package var pins: Set<Day> = []
    /// The days that somebody asked to be forgotten.
    package var requests: Set<Day> = []
    /// The records that the disk lost.
    package var lost: Set<Day> = []
    package var lastScannedDirectory: Int?

    package init(mirrored: Set<Day>, latest: Day) {
        self.mirrored = mirrored
        self.latest = latest
    }

    /// All in `favorites/` that somebody may mean something by, with its name there.
    package var items: [String: Thing] {
        var items: [String: Thing] = [:]
        for (path, thing) in disk.contents(of: "favorites") where !thing.isFolder {
            let name = String(path.dropFirst("favorites/".count))
            if !Self.isHidden(name) { items[name] = thing }
        }
        return items
    }

    /// Hidden, or in a hidden folder.
    private static func isHidden(_ name: String) -> Bool {
        name.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// Left by a program while it works.
    package static func isTemporary(_ name: String) -> Bool { name.hasSuffix(".tmp") }

    /// The days that the things in `favorites/` stand for, by name.
    package var meanings: [String: Day] {
        let items = items
        return Dictionary(
            uniqueKeysWithValues: items.compactMap { name, thing in
                guard !Self.isTemporary(name) else { return nil }
                return meaning(of: thing, called: name, among: items).map { (name, $0) }
            })
    }

    // MARK: What a thing means

    private func meaning(
        of thing: Thing, called name: String, among items: [String: Thing]
    ) -> Day? {
        switch thing {
        case .folder, .fifo: nil
        case .link(let target): meaning(of: target, at: name, for: name, among: items)
        case .file(let contents, _):
            switch contents {
            case .copy(let day), .hardLink(let day), .note(let day): day
            case .edited: recorded(name)
            case .nonsense: nil
            }
        }
    }

    private func meaning(
        of target: Target, at name: String, for first: String, among items: [String: Thing],
        hops: Int = 0
    ) -> Day? {
        switch target {
        case .relative(let day, _), .absolute(let day), .record(let day), .placeholder(let day, _),
            .foreign(let day), .own(let day):
            return day
        case .nowhere: return nil
        case .latest(let made): return marked(name, made) ?? latest
        case .neighbour(let other):
            let other = Self.neighbour(of: name, other)
            guard let thing = items[other] else { return recorded(first) }
            guard case .link(let next) = thing else {
                return Self.isTemporary(other)
                    ? nil : meaning(of: thing, called: other, among: items)
            }
            guard hops < 40 else { return nil }
            return meaning(of: next, at: other, for: first, among: items, hops: hops + 1)
        }
    }

    package static func neighbour(of name: String, _ other: String) -> String {
        PaperDisk.folder(above: name).map { "\($0)/\(other)" } ?? other
    }

    /// The day that a name stood for when it was last seen: the one that still does, or did until last.
    private func recorded(_ name: String) -> Day? {
        records.filter { $0.value.names.contains(name) }.max {
            ($0.value.missingSince ?? .max, $0.key) < ($1.value.missingSince ?? .max, $1.key)
        }?.key
    }

    /// The day that a link through `latest.*` stood for from the start, under whatever name.
    private func marked(_ name: String, _ made: Int) -> Day? {
        records.first { $0.value.latest[name] == made }?.key
            ?? records.first { $0.value.latest.values.contains(made) }?.key
    }
}
