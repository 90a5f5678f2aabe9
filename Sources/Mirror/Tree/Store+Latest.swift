internal import Glibc
package import Platform

/// The link `latest.*` in the root to the newest picture.
extension Tree {
    /// The target of the link `name`, such as `latest.jpg`, if the mirror made it: it leads into `pictures/`.
    func latestTarget(of name: String) -> String? {
        guard let target = root.target(of: name), target.hasPrefix("\(Layout.pictures)/") else {
            return nil
        }
        return target
    }

    /// The targets of the links `latest.*` that the mirror made.
    package var latestTargets: [String] {
        Layout.latestNames.compactMap { latestTarget(of: $0) }
    }
}

extension Store {
    /// Points the link `latest.*` at the picture at `path`, and removes the mirror's links with other
    /// extensions.
    ///
    /// A file or a link of a user is neither replaced nor removed.
    ///
    /// - Returns: The path of what is in the way of the link; `nil` if nothing is.
    @discardableResult
    package func updateLatestLink(to path: String) throws(SystemError) -> String? {
        guard let ending = path.splitAtLastDot?.ending else { return nil }
        let name = "latest\(ending)"
        let current = tree.latestTarget(of: name)
        var obstacle: String?
        if current != path {
            do {
                let isMade = try AtomicFile.publishLink(
                    to: path, in: tree.root, as: name, through: incoming,
                    replacing: current != nil)
                // A file system without symbolic links, such as exFAT, has no latest.*.
                guard isMade else { return nil }
            } catch  where error.code == EEXIST {
                // Another task may have made it meanwhile.
                if tree.latestTarget(of: name) != path { obstacle = "\(tree.root.path)/\(name)" }
            }
        }
        for other in Layout.latestNames
        where other != name && tree.latestTarget(of: other) != nil {
            try tree.root.remove(other)
        }
        return obstacle
    }
}
