internal import Glibc

/// Resolves a path to an absolute one without links, even if there is no file at it.
///
/// Unlike realpath(3), it follows a link to a missing file, because the disk with the file may not be mounted. A link to a path
/// that is not UTF-8 stays in the result.
///
/// - Returns: A relative path only if the current directory was removed, or if its path is not UTF-8.
package func resolvedPath(_ path: String) -> String {
    let maximumOfKernel = 40  // See path_resolution(7).
    return resolved(path, followingAtMost: maximumOfKernel)
}

private func resolved(_ path: String, followingAtMost maximumLinks: Int) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if let real = realPath(path) { return real }
    guard let (folder, name) = path.splitAtLastSlash else {
        guard let current = realPath(".") else { return path }
        return resolved("\(current)/\(path)", followingAtMost: maximumLinks)
    }
    // The folder is resolved first. It then has no links, so that its last part can be dropped for “..”.
    let above = folder.isEmpty ? "/" : resolved(String(folder), followingAtMost: maximumLinks)
    switch name {
    case ".":
        return above
    case "..":
        guard let parent = above.splitAtLastSlash?.above else { return above }
        return parent.isEmpty ? "/" : String(parent)
    default:
        guard maximumLinks > 0,
            let target = try? Directory(opening: above).target(of: String(name))
        else { return above == "/" ? "/\(name)" : "\(above)/\(name)" }
        let pathOfTarget = target.hasPrefix("/") ? target : "\(above)/\(target)"
        return resolved(pathOfTarget, followingAtMost: maximumLinks - 1)
    }
}

/// Resolves a path by realpath(3); `nil` if there is no such file, or if the result is not UTF-8.
package func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(validatingCString: real)
}

extension String {
    /// Whether this path is `folder` or lies below it; both are absolute and resolved.
    package func isPath(in folder: String) -> Bool {
        let prefix = folder == "/" ? folder : "\(folder)/"
        return "\(self)/".utf8.starts(with: prefix.utf8)
    }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// `a/b` and `c` for the path `a/b/c`; `nil` if it has no slash.
    ///
    /// The slash is sought among the bytes, because Swift counts a slash and a combining mark after it as one character.
    package var splitAtLastSlash: (above: SubSequence, name: SubSequence)? {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return (self[..<slash], self[utf8.index(after: slash)...])
    }
}
