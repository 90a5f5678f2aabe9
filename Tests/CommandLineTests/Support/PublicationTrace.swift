import APOD
import Mirror

/// The order of the changes of a run, checked for states that a power cut must not leave.
struct PublicationTrace {
    private enum Call {
        case write(String)
        case fsync(String)
        case syncfs
        case symlink(String)
        case remove(String)
        /// A rename or a second name.
        case name(from: String, to: String, isLink: Bool)
    }

    private let calls: [Call]
    private let root: String

    /// The traced calls; descriptors are printed with their paths.
    static let traced =
        "write,pwrite64,fsync,fdatasync,syncfs,symlinkat,linkat,unlinkat,renameat,renameat2"

    init(_ lines: [String], root: String) {
        self.root = root
        calls = lines.compactMap(Self.call)
    }

    private static func call(_ line: String) -> Call? {
        guard !line.contains(" = -1 ") else { return nil }
        if let found = line.firstMatch(
            of: /(?:rename|link)at2?\(\d+<([^>]*)>, "([^"]*)", \d+<([^>]*)>, "([^"]*)"/)
        {
            return .name(
                from: "\(found.1)/\(found.2)", to: "\(found.3)/\(found.4)",
                isLink: line.contains(" linkat("))
        }
        if let found = line.firstMatch(of: /symlinkat\("[^"]*", \d+<([^>]*)>, "([^"]*)"/) {
            return .symlink("\(found.1)/\(found.2)")
        }
        if let found = line.firstMatch(of: /unlinkat\(\d+<([^>]*)>, "([^"]*)"/) {
            return .remove("\(found.1)/\(found.2)")
        }
        if let found = line.firstMatch(of: /\s(?:fsync|fdatasync)\(\d+<([^>]*)>/) {
            return .fsync("\(found.1)")
        }
        if let found = line.firstMatch(of: /\sp?write(?:64)?\(\d+<([^>]*)>/) {
            return .write("\(found.1)")
        }
        return line.contains(" syncfs(") ? .syncfs : nil
    }

    /// The number of files published in `top`, a directory of the mirror.
    func publications(in top: String) -> Int {
        names.count {
            $0.to.hasPrefix("\(root)/\(top)/")
                // What waits there for its name gets it by another call.
                && !Layout.split($0.to).name.hasPrefix("\(Layout.own) ")
        }
    }

    /// The number of files removed in `top`, a directory of the mirror.
    func removals(in top: String) -> Int { removals.count { $0.path.hasPrefix("\(root)/\(top)/") } }

    /// Whether the file at `path`, relative to the root, and its name were on the disk when `other` got its name.
    func isFlushed(_ path: String, before other: String) -> Bool {
        guard let end = names.first(where: { $0.to == "\(root)/\(other)" })?.index else {
            return false
        }
        let (folder, _) = Layout.split(path)
        return isSynced("\(root)/\(path)", in: 0..<end)
            && isSynced("\(root)/\(folder)", in: 0..<end)
    }

    private var names: [(index: Int, from: String, to: String, isLink: Bool)] {
        calls.indices.compactMap { index in
            guard case .name(let from, let to, let isLink) = calls[index],
                to.hasPrefix(root + "/")
            else { return nil }
            return (index, from, to, isLink)
        }
    }

    private var removals: [(index: Int, path: String)] {
        calls.indices.compactMap { index in
            if case .remove(let path) = calls[index] { (index, path) } else { nil }
        }
    }

    /// The violations: names before bytes, records before pictures, edits before archived files.
    func violations() -> [String] {
        var violations: [String] = []
        for name in names {
            if !name.isLink, !isOnDisk(name.from, at: name.index) {
                violations.append("\(name.to) has its name before its bytes are on the disk")
            }
            if !name.isLink, name.to.hasPrefix("\(root)/\(Layout.pictures)/"),
                isEdit(name.to, at: name.index), !isStagedOnDisk(name.to, at: name.index)
            {
                violations.append("\(name.to) is replaced before the edit is staged on the disk")
            }
            guard !isStaging(name.to), let slash = name.to.lastIndex(of: "/") else { continue }
            let folder = String(name.to[..<slash])
            let deadline = deadline(of: name.to, after: name.index)
            if !isSynced(folder, in: (name.index + 1)..<deadline) {
                violations.append("the name of \(name.to) is not on the disk in time")
            }
        }
        for (index, path) in removals
        where path.hasPrefix("\(root)/\(Layout.pictures)/") && !isStagedOnDisk(path, at: index) {
            violations.append("\(path) is removed before the edit is staged on the disk")
        }
        for (index, path) in removals where path.hasPrefix("\(root)/\(Layout.pictures)/") {
            guard let end = recording(ofRemovalOf: path, after: index),
                !isSynced(Layout.split(path).folder, in: index..<end)
            else { continue }
            violations.append("the removal of \(path) is recorded before it is on the disk")
        }
        return violations
    }

    /// Where the table of the view says that a sidecar is removed, or the record of the day that another file is.
    private func recording(ofRemovalOf path: String, after index: Int) -> Int? {
        if path.hasSuffix(".xmp") {
            let tables = "\(root)/\(Layout.views)/\(ViewName.sidecars).d/"
            return names.first { $0.index > index && $0.to.hasPrefix(tables) }?.index
                ?? removals.first { $0.index > index && $0.path.hasPrefix(tables) }?.index
        }
        return names.first {
            $0.index > index && $0.to.hasPrefix("\(root)/\(Layout.metadata)/")
                && Self.day(of: $0.to) == Self.day(of: path)
        }?.index
    }

    /// A file in `incoming/` is not published yet.
    private func isStaging(_ path: String) -> Bool {
        path.hasPrefix("\(root)/\(Layout.incoming)/")
    }

    private static func day(of path: String) -> Day? {
        FileName.day(of: path.split(separator: "/").last ?? "")
    }

    /// Whether the files that an edit of the day replaces are archived.
    private func isEdit(_ path: String, at index: Int) -> Bool {
        names.contains {
            $0.index < index && $0.to.hasPrefix("\(root)/\(Layout.previous)/")
                && Self.day(of: $0.to) == Self.day(of: path)
        }
    }

    /// Whether the names of all files of an edit in `incoming/` are on the disk.
    private func isStagedOnDisk(_ path: String, at index: Int) -> Bool {
        let staged = names.last {
            $0.index < index && isStaging($0.to) && Self.day(of: $0.to) == Self.day(of: path)
        }
        return staged.map {
            isSynced("\(root)/\(Layout.incoming)", in: ($0.index + 1)..<index)
        } ?? false
    }

    private func isOnDisk(_ path: String, at index: Int) -> Bool {
        var path = path
        for call in calls[..<index].reversed() {
            switch call {
            case .name(let from, path, isLink: false): path = from
            case .fsync(path), .syncfs, .symlink(path): return true
            case .write(path): return false
            default: continue
            }
        }
        return false
    }

    private func isSynced(_ folder: String, in range: Range<Int>) -> Bool {
        calls[range].contains { call in
            switch call {
            case .fsync(folder), .syncfs: true
            default: false
            }
        }
    }

    /// A picture is durable before its record is published, and archived files before both.
    private func deadline(of path: String, after index: Int) -> Int {
        let name = path.split(separator: "/").last ?? ""
        let tops: [String] =
            path.hasPrefix("\(root)/\(Layout.pictures)/")
            ? [Layout.metadata]
            : path.hasPrefix("\(root)/\(Layout.previous)/")
                ? [Layout.metadata, Layout.pictures] : []
        guard let day = FileName.day(of: name), !tops.isEmpty, !path.hasSuffix(".html") else {
            return calls.endIndex
        }
        return names.first { other in
            other.index > index
                && tops.contains { other.to.hasPrefix("\(root)/\($0)/") }
                && FileName.day(of: other.to.split(separator: "/").last ?? "") == day
        }?.index ?? calls.endIndex
    }
}
