package import APOD

/// A model of a mirror, its user and its favorites: a pure value.
///
/// It has the rules of the favorites, but not their implementation.
package struct World: Hashable, Sendable {
    package var disk = ModelDisk()
    package static let start = 1_800_000_000
    /// In seconds.
    package var now = start
    /// The uptime in seconds.
    package var uptime = 1000
    /// The number of reboots.
    package var boots = 0
    /// The removed favorites, whose records are kept.
    package var removed: [Day: ModelRecord] = [:]
    package var mirrored: Set<Day>
    package var latest: Day
    package var records: [Day: ModelRecord] = [:]
    package var pins: Set<Day> = []
    /// The days of pending forget requests.
    package var requests: Set<Day> = []
    /// The days whose records were lost.
    package var lost: Set<Day> = []
    package var lastScannedDirectory: Int?
    /// The days of the files that were favorites in the last scans of this process, by the numbers of the files.
    var fileDays: [Int: Day] = [:]

    package init(mirrored: Set<Day>, latest: Day) {
        self.mirrored = mirrored
        self.latest = latest
    }

    /// All items in `favorites/` that can be references, by name.
    package var items: [String: Thing] {
        var items: [String: Thing] = [:]
        for (path, thing) in disk.contents(of: "favorites") where !thing.isFolder {
            let name = String(path.dropFirst("favorites/".count))
            if !Self.isHidden(name) { items[name] = thing }
        }
        return items
    }

    /// Hidden, or in a hidden directory.
    private static func isHidden(_ name: String) -> Bool {
        name.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    /// A temporary file of another program.
    package static func isTemporary(_ name: String) -> Bool { name.hasSuffix(".tmp") }

    /// The days that the items in `favorites/` refer to, by name.
    package var meanings: [String: Day] {
        let items = items
        return Dictionary(
            uniqueKeysWithValues: items.compactMap { name, thing in
                guard !Self.isTemporary(name) else { return nil }
                return meaning(of: thing, called: name, among: items).map { (name, $0) }
            })
    }

    /// Whether `day` is missing for so long that it stays only while something else has one of its paths.
    package func isGraceOver(of day: Day) -> Bool {
        guard let record = records[day], !record.isHeld else { return false }
        return record.grace?.boot == boots && !isInGracePeriod(day)
    }

    /// Whether `day` is missing since less than a minute.
    func isInGracePeriod(_ day: Day) -> Bool {
        guard let grace = records[day]?.grace, grace.boot == boots else { return false }
        return uptime - grace.seconds < 60
    }

    // MARK: Classification

    private func meaning(
        of thing: Thing, called name: String, among items: [String: Thing]
    ) -> Day? {
        switch thing {
        case .folder, .fifo: nil
        case .link(let target): meaning(of: target, at: name, among: items)
        case .file(let contents, let made):
            switch contents {
            case .copy(let day), .hardLink(let day), .note(let day): day
            case .edited: fileDays[made] ?? recordedDay(of: name)
            case .nonsense: nil
            }
        }
    }

    /// The day that had the item; of several, the one that was present last.
    private func recordedDay(of name: String) -> Day? {
        records.filter { $0.value.names.contains(name) }
            .max {
                ($0.value.missingSince ?? .max, $0.key) < ($1.value.missingSince ?? .max, $1.key)
            }?
            .key
    }

    private func meaning(
        of target: Target, at name: String, among items: [String: Thing], hops: Int = 0
    ) -> Day? {
        switch target {
        case .relative(let day, _), .absolute(let day), .record(let day), .placeholder(let day, _),
            .foreign(let day), .own(let day):
            return day
        case .nowhere: return nil
        case .latest:
            let present = records.filter { !$0.value.isMissing && $0.value.names.contains(name) }
            return present.keys.max() ?? latest
        case .neighbor(let other):
            let other = Self.neighbor(of: name, other)
            guard let thing = items[other] else { return nil }
            guard case .link(let next) = thing else {
                return Self.isTemporary(other)
                    ? nil : meaning(of: thing, called: other, among: items)
            }
            guard hops < 40 else { return nil }
            return meaning(of: next, at: other, among: items, hops: hops + 1)
        }
    }

    package static func neighbor(of name: String, _ other: String) -> String {
        ModelDisk.folder(above: name).map { "\($0)/\(other)" } ?? other
    }
}

/// The record of a favorite in the model.
package struct ModelRecord: Hashable, Sendable {
    package var added: Int
    /// Relative to `favorites/`.
    package var names: Set<String>
    /// Those of the names that are files.
    package var files: Set<String> = []
    /// The time since which it is missing.
    package var missingSince: Int?
    package var isHeld = false
    /// The uptime at which its grace period began.
    package var grace: Grace?

    package struct Grace: Hashable, Sendable {
        package let boot: Int
        package let seconds: Int
    }

    /// The names of links for items that are gone while others are still here, and the uptime when that was found.
    var lost: Set<String> = []
    var lostSince: Grace?

    package var isMissing: Bool { isHeld || missingSince != nil }

    /// The names of the links that take the places of all items: a file that returns must find its name free.
    var linkNames: Set<String> {
        Set(names.map(linkName))
    }

    private func linkName(of name: String) -> String {
        guard files.contains(name) else { return name }
        let start = name.lastIndex(of: "/") ?? name.startIndex
        let dot = name[start...].lastIndex(of: ".") ?? name.endIndex
        return "\(name[..<dot]) (link)\(name[dot...])"
    }

    /// Adds the lost names again if that was less than a minute ago.
    mutating func restoreLostNames(boot: Int, uptime: Int) {
        if let lostSince, lostSince.boot == boot, uptime - lostSince.seconds < 60 {
            names.formUnion(lost)
        }
        lost = []
        lostSince = nil
    }
}
