package import APOD

/// One step of a trial: something that a user does, or the mirror, or time.
package enum Operation: Hashable, Sendable {
    /// Creates a link or a file.
    case make(Thing, at: String)
    case makeDirectory(String)
    /// As `ln -sfn` does: creates another name, then renames it.
    case replace(Target, at: String)
    case rename(String, to: String)
    /// Exchanges two names atomically.
    case exchange(String, with: String)
    /// Removes a file, or a directory with its contents.
    case remove(String)
    /// Requests that a day be forgotten, as the command does.
    case requestForget(Day)

    /// A new picture becomes `latest.*`.
    case publish(Day)
    /// A day is mirrored.
    case mirror(Day)
    /// The picture of a favorite is lost, and a scan follows.
    case losePicture(Day)
    /// The record of a favorite is lost beside the running process.
    case loseRecord(Day)

    /// Time passes, or the clock is set back.
    case advance(Int)
    /// The clock is set.
    case setClock(Int)
    /// The machine reboots.
    case reboot
    /// The process restarts: only what is on the disk remains.
    case restart
    case scan(checksAll: Bool)
    /// A scan that cannot read one of the directories.
    case scanWithout(String)

    /// The name under which it is counted.
    package var name: String { "\(self)".prefix { $0 != "(" }.description }

    package var isScan: Bool {
        switch self {
        case .scan, .scanWithout, .losePicture: true
        default: false
        }
    }
}

extension World {
    /// Applies the operation to the model.
    ///
    /// - Returns: Whether it is possible.
    package mutating func apply(_ operation: Operation) -> Bool {
        switch operation {
        case .make(.file(.copy(let day), _), _) where !mirrored.contains(day): return false
        case .make(.file(.hardLink(let day), _), _) where !mirrored.contains(day): return false
        case .make(let thing, let path): return disk.make(thing, at: path)
        case .makeDirectory(let path): return disk.makeDirectory(path)
        case .replace(let target, let path): return disk.replace(target, at: path)
        case .rename(let old, let new): return disk.rename(old, to: new)
        case .exchange(let one, let other): return disk.exchange(one, with: other)
        case .remove(let path): return disk.remove(path)
        case .requestForget(let day): return requests.insert(day).inserted
        case .advance(let seconds):
            now += seconds
            uptime += max(0, seconds)
        case .setClock(let seconds): now += seconds
        case .reboot:
            boots += 1
            uptime = 10
            fileDays = [:]
        case .restart: fileDays = [:]
        case .scan: scan()
        case .scanWithout(let folder): return scan(without: folder)
        case .publish(let day): return publish(day)
        case .mirror(let day): return mirrored.insert(day).inserted
        case .losePicture(let day): return losePicture(day)
        case .loseRecord(let day):
            guard records[day] != nil else { return false }
            return lost.insert(day).inserted
        }
        return true
    }

    private mutating func publish(_ day: Day) -> Bool {
        guard mirrored.contains(day), day != latest else { return false }
        latest = day
        return true
    }

    private mutating func scan(without folder: String) -> Bool {
        guard disk["favorites/\(folder)"]?.isFolder == true else { return false }
        scan(hiding: folder)
        return true
    }

    /// The picture is copied back, from its pin or from a copy in `favorites/`.
    private mutating func losePicture(_ day: Day) -> Bool {
        guard pins.contains(day), disk["favorites"]?.isFolder == true, records[day] != nil,
            !lost.contains(day)
        else { return false }
        scan()
        return pins.contains(day)
    }
}
