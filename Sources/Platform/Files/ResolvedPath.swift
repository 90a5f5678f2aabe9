internal import Glibc

/// Resolves a path to an absolute one without links, even if the file does not exist; see realpath(3).
///
/// A dangling link is followed, too, because its target may be on a disk that is not mounted. A link to a path that is not
/// UTF-8 stays in the result.
///
/// - Returns: A relative path if the current directory was removed, or if its path is not UTF-8.
package func resolvedPath(_ path: String) -> String { resolved(path, links: 40) }

private func resolved(_ path: String, links: Int) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if let real = realPath(path) { return real }
    guard let (folder, last) = path.splitAtLastSlash else {
        return realPath(".").map { resolved("\($0)/\(path)", links: links) } ?? path
    }
    let above = folder.isEmpty ? "/" : resolved(String(folder), links: links)
    let name = String(last)
    // `above` has no links, so that “..” can be resolved by its text.
    if name == "." { return above }
    if name == ".." {
        return above.splitAtLastSlash.map { $0.above.isEmpty ? "/" : String($0.above) } ?? above
    }
    let whole = above == "/" ? "/\(name)" : "\(above)/\(name)"
    guard links > 0, let target = (try? Directory(opening: above))?.target(of: name) else {
        return whole
    }
    return resolved(target.hasPrefix("/") ? target : "\(above)/\(target)", links: links - 1)
}

/// Resolves a path to an absolute one without links; `nil` if the file does not exist, or if the result is not UTF-8.
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
