package import APOD
package import Platform

/// Asks the process that writes the tree to repair days: the file `requests/repair`, with a date per line.
package enum RepairRequest {
    private static let name = "repair"

    /// Asks to repair `days`, in addition to those that are asked for already.
    package static func publish(_ days: Set<Day>, in tree: Tree) throws(SystemError) {
        let all = days.union(read(from: tree) ?? [])
        let text = all.sorted().map { "\($0)\n" }.joined()
        let folder = try tree.root.makeDirectory(Layout.requests)
        try AtomicFile.publish(Array(text.utf8), in: folder, as: name, through: folder)
    }

    /// The days to repair; `nil` if there is no request.
    package static func read(from tree: Tree) -> Set<Day>? {
        guard let bytes = try? tree.root.read("\(Layout.requests)/\(name)", limit: 1 << 20) else {
            return nil
        }
        return Set(bytes.split(separator: UInt8(ascii: "\n")).compactMap { Day(iso: $0) })
    }

    /// Removes the request if it asks for no other days than `days`, which are repaired.
    package static func remove(_ days: Set<Day>, from tree: Tree) {
        guard read(from: tree)?.isSubset(of: days) ?? false,
            let folder = try? tree.root.folder(Layout.requests)
        else { return }
        try? folder.remove(name)
        try? folder.synchronize()
    }
}
