package import APOD
package import Mirror
package import Platform

/// Asks the process that writes the tree to repair days: one file `requests/….repair` each, with a date per line.
package enum RepairRequest {
    private static let ending = ".repair"

    /// Leaves a request to repair `days`, which may be none.
    package static func leave(_ days: Set<Day>, in tree: Tree) throws(SystemError) {
        let text = days.sorted().map { "\($0)\n" }.joined()
        let folder = try tree.root.makeDirectory(Layout.requests)
        let name = "\(UInt64.random(in: 0 ... .max))\(ending)"
        try AtomicFile.publish(Array(text.utf8), in: folder, as: name, through: folder)
    }

    /// The days to repair; `nil` if there is no request.
    package static func read(from tree: Tree) -> Set<Day>? {
        let requests = all(in: tree).values
        return requests.isEmpty ? nil : requests.reduce([]) { $0.union($1) }
    }

    /// Removes the requests that ask for no other days than `days`, which are repaired.
    package static func remove(_ days: Set<Day>, from tree: Tree) {
        let done = all(in: tree).filter { $0.value.isSubset(of: days) }
        guard !done.isEmpty, let folder = try? tree.root.folder(Layout.requests) else { return }
        for name in done.keys { try? folder.remove(name) }
        try? folder.flush()
    }

    /// The days of each request, by the name of its file.
    private static func all(in tree: Tree) -> [String: Set<Day>] {
        guard let folder = try? tree.root.folder(Layout.requests),
            let names = try? folder.textNames()
        else { return [:] }
        var requests: [String: Set<Day>] = [:]
        for name in names where name.hasSuffix(ending) {
            guard let bytes = try? folder.read(name, limit: 1 << 20) else { continue }
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            requests[name] = Set(lines.compactMap { Day(iso: $0) })
        }
        return requests
    }
}
