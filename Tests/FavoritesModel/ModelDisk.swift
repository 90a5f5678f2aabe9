/// A model of the directories of a user, and of rename(2) and related calls.
///
/// Paths are relative to the root of a mirror, which has a directory `outside`.
package struct ModelDisk: Hashable, Sendable {
    package private(set) var things: [String: Thing] = [
        "favorites": .folder(0), "outside": .folder(1),
    ]
    private var folders = 2

    package init() {}

    package subscript(path: String) -> Thing? { things[path] }

    package static func folder(above path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// All items below the directory at `path`.
    package func contents(of path: String) -> [String: Thing] {
        things.filter { $0.key.hasPrefix(path + "/") }
    }

    private func hasPlace(for path: String) -> Bool {
        guard let above = Self.folder(above: path) else { return true }
        return things[above]?.isFolder == true
    }

    /// Each returns whether it succeeded.
    package mutating func make(_ thing: Thing, at path: String) -> Bool {
        guard things[path] == nil, hasPlace(for: path) else { return false }
        things[path] = thing
        return true
    }

    package mutating func makeDirectory(_ path: String) -> Bool {
        folders += 1
        return make(.folder(folders), at: path)
    }

    /// Replaces any item but a directory by a link.
    package mutating func replace(_ target: Target, at path: String) -> Bool {
        guard things[path]?.isFolder != true, hasPlace(for: path) else { return false }
        things[path] = .link(target)
        return true
    }

    /// Removes a directory with its contents.
    package mutating func remove(_ path: String) -> Bool {
        guard things.removeValue(forKey: path) != nil else { return false }
        for inner in contents(of: path).keys { things[inner] = nil }
        return true
    }

    package mutating func rename(_ old: String, to new: String) -> Bool {
        guard let thing = things[old], mayReplace(things[new], at: new, by: thing),
            hasPlace(for: new), old != new, !new.hasPrefix(old + "/")
        else { return false }
        let moved = contents(of: old)
        _ = remove(old)
        things[new] = thing
        for (path, inner) in moved {
            things[path] = nil
            things[new + path.dropFirst(old.count)] = inner
        }
        return true
    }

    /// Exchanges two names.
    package mutating func exchange(_ one: String, with other: String) -> Bool {
        guard let first = things[one], let second = things[other], one != other,
            !one.hasPrefix(other + "/"), !other.hasPrefix(one + "/")
        else { return false }
        let (fromOne, fromOther) = (contents(of: one), contents(of: other))
        for path in fromOne.keys { things[path] = nil }
        for path in fromOther.keys { things[path] = nil }
        things[one] = second
        things[other] = first
        for (path, thing) in fromOne { things[other + path.dropFirst(one.count)] = thing }
        for (path, thing) in fromOther { things[one + path.dropFirst(other.count)] = thing }
        return true
    }

    private func mayReplace(_ there: Thing?, at path: String, by thing: Thing) -> Bool {
        switch (there, thing) {
        case (nil, _): true
        // rename(2) does nothing to two names of one file.
        case (.file(.hardLink, _), .file(.hardLink, _)): false
        case (.folder, .folder): contents(of: path).isEmpty
        case (.folder, _), (_, .folder): false
        default: true
        }
    }
}
