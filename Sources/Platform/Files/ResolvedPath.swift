internal import Glibc

/// Resolves a path to an absolute one without links, even if there is no file at it.
///
/// Unlike realpath(3), it follows a link to a missing file, because the disk with the file may not be mounted. A link to a path
/// that is not UTF-8 stays in the result.
///
/// - Returns: A relative path only if the current directory was removed, or if its path is not UTF-8.
package func resolvedPath(_ path: String) -> String {
    resolved(path, followingAtMost: maximumLinks)
}

/// The kernel follows as many links in one path, see path_resolution(7).
private let maximumLinks = 40

private func resolved(_ path: String, followingAtMost links: Int) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if let real = realPath(path) { return real }
    guard let (folder, last) = path.splitAtLastSlash else {
        return realPath(".").map { resolved("\($0)/\(path)", followingAtMost: links) } ?? path
    }
    let above = folder.isEmpty ? "/" : resolved(String(folder), followingAtMost: links)
    let name = String(last)
    // `above` has no links, so that its last part can be dropped for “..”.
    if name == "." { return above }
    if name == ".." {
        return above.splitAtLastSlash.map { $0.above.isEmpty ? "/" : String($0.above) } ?? above
    }
    let whole = above == "/" ? "/\(name)" : "\(above)/\(name)"
    guard links > 0, let target = (try? Directory(opening: above))?.target(of: name) else {
        return whole
    }
    return resolved(
        target.hasPrefix("/") ? target : "\(above)/\(target)", followingAtMost: links - 1)
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
        "\(self)/".utf8.starts(with: (folder == "/" ? folder : "\(folder)/").utf8)
    }
}
