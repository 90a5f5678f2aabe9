internal import APOD

extension World {
    /// Applies a scan.
    ///
    /// - Parameter folder: A directory in `favorites/` that cannot be read.
    package mutating func scan(hiding folder: String? = nil) {
        restoreLostRecords()
        var seen: [String: Day] = [:]
        switch disk["favorites"] {
        case .folder(let identity):
            seen = meanings.filter { name, _ in !Self.isBelow(folder, name) }
            reconcile(seen, identity, hiding: folder)
        case nil:
            recreateFavorites()
            guard case .folder(let identity) = disk["favorites"] else { break }
            // It is scanned again.
            seen = meanings
            reconcile(seen, identity, hiding: nil)
        default: break
        }
        pins.formUnion(records.keys.filter { mirrored.contains($0) && !isMissing($0) })
        for day in records.keys where !isMissing(day) { removed[day] = nil }
        repair(seen)
    }

    private static func isBelow(_ folder: String?, _ name: String) -> Bool {
        folder.map { name == $0 || name.hasPrefix($0 + "/") } ?? false
    }

    /// Whether something that is no favorite has the name, or that of a directory above it.
    func isReplaced(_ name: String) -> Bool {
        meanings[name] == nil && Self.isReplaced(name, on: disk)
    }

    /// Whether something else has the name, or that of a directory above it: it does not prove that the item is gone.
    private static func isReplaced(_ name: String, on disk: ModelDisk) -> Bool {
        var path = "favorites"
        for part in name.split(separator: "/").dropLast() {
            path += "/\(part)"
            if let thing = disk[path], !thing.isFolder { return true }
        }
        return disk["favorites/\(name)"] != nil
    }

    private static func mayExist(
        _ name: String, _ seen: [String: Day], hiding folder: String?, on disk: ModelDisk
    ) -> Bool {
        if seen[name] == nil, isReplaced(name, on: disk) { return true }
        return mayBeHidden(name, in: folder, on: disk)
    }

    /// Whether the item may be in the directory that cannot be read: its own directory may have been renamed.
    private static func mayBeHidden(_ name: String, in folder: String?, on disk: ModelDisk) -> Bool
    {
        guard let folder else { return false }
        if isBelow(folder, name) { return true }
        guard let above = ModelDisk.folder(above: name) else { return false }
        return disk["favorites/\(above)"]?.isFolder != true
    }

    private func isMissing(_ day: Day) -> Bool { records[day]?.isMissing == true }

    private mutating func restoreLostRecords() {
        for day in lost {
            records[day] =
                pins.contains(day) ? ModelRecord(added: now, names: [], isHeld: true) : nil
        }
        lost = []
    }

    // MARK: Records

    private mutating func reconcile(_ seen: [String: Day], _ identity: Int, hiding folder: String?)
    {
        let isWhole = identity == lastScannedDirectory
        let countBefore = records.values.count { !$0.isHeld }
        let disk = self.disk
        let present = Set(seen.values)
        let absent = records.keys.filter { !present.contains($0) }
        for day in present {
            recordPresent(day, seen) { name in
                isWhole ? Self.mayExist(name, seen, hiding: folder, on: disk) : true
            }
        }
        for day in absent where requests.contains(day) { forget(day) }
        requests = []
        let unheld = absent.filter { records[$0]?.isHeld == false }
        // Favorites that may be in the unreadable directory are no longer missing.
        let missing = unheld.filter { day in
            records[day]?.names.contains { name in
                isWhole
                    ? Self.mayExist(name, seen, hiding: folder, on: disk)
                    : Self.mayBeHidden(name, in: folder, on: disk)
            } == false
        }
        for day in unheld where !missing.contains(day) {
            records[day]?.missingSince = nil
            records[day]?.grace = nil
        }
        // Those that an earlier scan held within the last minute belong to the same deletion.
        let justHeld = absent.count { records[$0]?.isHeld == true && isInGracePeriod($0) }
        let (gone, all) = (missing.count + justHeld, countBefore + justHeld)
        let isTooMany = gone > 5 && gone * 5 > all || gone >= 3 && gone * 2 > all
        for day in missing { if !isWhole || isTooMany { hold(day) } else { countGrace(of: day) } }
        fileDays = fileDays.filter { records[$0.value] != nil && !present.contains($0.value) }
        for (name, day) in seen {
            if case .file(_, let made) = disk["favorites/\(name)"] { fileDays[made] = day }
        }
        // Until all are decided, those that another directory lacks are held.
        if isWhole || missing.count == unheld.count { lastScannedDirectory = identity }
    }

    private mutating func recordPresent(
        _ day: Day, _ seen: [String: Day], mayExist: (String) -> Bool
    ) {
        let names = Set(seen.filter { $0.value == day }.keys)
        var record = records[day] ?? ModelRecord(added: removed[day]?.added ?? now, names: [])
        // A name that was not scanned may still exist, but belongs to one day only.
        let unseen = record.names.filter { mayExist($0) && seen[$0] == nil }
        let before = record
        record.names = names.union(unseen)
        record.files = record.files.intersection(unseen).union(
            names.filter { disk["favorites/\($0)"]?.isFile == true })
        if record.names != before.names {
            var gone = before
            gone.restoreLostNames(boot: boots, uptime: uptime)
            gone.names.subtract(record.names)
            let lost = gone.linkNames.subtracting(record.names).subtracting(record.linkNames)
            record.lost = before.isMissing ? [] : lost
            record.lostSince = record.lost.isEmpty ? nil : .init(boot: boots, seconds: uptime)
        }
        record.missingSince = nil
        record.grace = nil
        record.isHeld = false
        records[day] = record
    }

    private mutating func countGrace(of day: Day) {
        beginGrace(of: day)
        if !isInGracePeriod(day) { forget(day) }
    }

    private mutating func hold(_ day: Day) {
        beginGrace(of: day)
        records[day]?.isHeld = true
    }

    /// The day is missing since now, or the grace period begins again after a reboot.
    private mutating func beginGrace(of day: Day) {
        guard var record = records[day] else { return }
        record.restoreLostNames(boot: boots, uptime: uptime)
        record.missingSince = record.missingSince ?? now
        if record.grace?.boot != boots { record.grace = .init(boot: boots, seconds: uptime) }
        records[day] = record
    }

    private mutating func forget(_ day: Day) {
        if var record = records.removeValue(forKey: day) {
            record.missingSince = record.missingSince ?? now
            removed[day] = record
        }
        pins.remove(day)
    }

    // MARK: The directory

    /// Where two days have one name, the present one comes first.
    private mutating func recreateFavorites() {
        _ = disk.makeDirectory("favorites")
        var records = records
        for day in records.keys {
            records[day]?.restoreLostNames(boot: boots, uptime: uptime)
        }
        let days = records.keys.sorted { (isMissing($0) ? 1 : 0, $0) < (isMissing($1) ? 1 : 0, $1) }
        for day in days {
            for name in (records[day]?.linkNames ?? []).sorted(by: Self.byBytes) {
                let up = name.split(separator: "/").count
                var above = "favorites"
                for part in name.split(separator: "/").dropLast() {
                    above += "/\(part)"
                    _ = disk.makeDirectory(above)
                }
                let target =
                    mirrored.contains(day)
                    ? Target.relative(day, up: up) : .placeholder(day, up: up)
                _ = disk.make(.link(target), at: "favorites/\(name)")
            }
        }
    }

    private static func byBytes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Repairs broken links.
    private mutating func repair(_ seen: [String: Day]) {
        for (name, day) in seen where mirrored.contains(day) {
            let up = name.split(separator: "/").count
            guard case .link(let target) = disk["favorites/\(name)"],
                isLost(target, name, depth: up)
            else { continue }
            _ = disk.replace(.relative(day, up: up), at: "favorites/\(name)")
        }
    }

    private func isLost(_ target: Target, _ name: String, depth: Int) -> Bool {
        switch target {
        case .relative(_, let up): up != depth
        case .placeholder, .latest: true
        case .absolute, .record, .foreign, .own, .neighbor, .nowhere: false
        }
    }
}
