internal import APOD
package import FoundationEssentials
package import Platform

/// What keeps all days away, such as a full disk; what keeps a single day away is a ``DayProblem``.
///
/// A sync finds the obstacle and saves it in `state.json`. The log, the exit code, `status` and systemd show it.
package struct Obstacle: Error, Hashable, Codable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// NASA is not reached, or answers without its list of entries.
        case network
        /// The disk is read-only or fails, or this machine lacks memory or descriptors.
        case disk
        /// The disk has no room for another file, or only what `--min-free` keeps.
        case space
        /// The clock of this machine is wrong, so that no entry of NASA, or no certificate, is valid.
        case clock
        /// This user may not write where days are published.
        case rights
    }

    package let kind: Kind
    /// What is the matter, and what to do: `/srv/apod: no inodes are free; delete small files on that disk`.
    package let text: String
    /// When the first of several syncs in a row met an obstacle of this kind.
    package private(set) var since: Date

    package init(_ kind: Kind, _ text: String, since: Date = Date()) {
        self.kind = kind
        self.text = text
        self.since = since
    }

    /// The part of ``text`` before the semicolon, without what to do.
    package var summary: String {
        text.firstRange(of: "; ").map { String(text[..<$0.lowerBound]) } ?? text
    }

    /// This obstacle, which lasts since `earlier`, the obstacle of the sync before, if they are of one kind.
    package func following(_ earlier: Obstacle?) -> Obstacle {
        guard let earlier, earlier.kind == kind else { return self }
        var obstacle = self
        obstacle.since = min(since, earlier.since)
        return obstacle
    }
}

extension Obstacle {
    /// The lack of inodes, or of space besides `minimumFree` bytes, on the disk of `root`; `nil` if there is room.
    package static func space(
        on root: Directory, minimumFree: Int, at now: Date = Date()
    ) throws(SystemError) -> Obstacle? {
        let bytes = try root.freeBytes()
        guard bytes - minimumFree >= Store.spaceForRecords else {
            let limit =
                minimumFree > 0 ? "--min-free \(ByteSize.text(of: minimumFree))" : root.path
            return Obstacle(
                .space,
                "\(limit): \(ByteCount(bytes)) are free, nothing is downloaded; free disk space, or lower"
                    + " --min-free", since: now)
        }
        guard try root.isOutOfFiles() else { return nil }
        return Obstacle(
            .space,
            "\(root.path): no inodes are free, nothing is downloaded; delete small files on that disk, see “df"
                + " -i”", since: now)
    }
}

extension Store {
    /// Checks that this user may write where today's picture and record are published.
    ///
    /// - Throws: ``Obstacle``; ``SystemError`` if the disk cannot be asked.
    package func checkPlaces(at now: Date) throws {
        let day = Day(number: now.dayNumber)
        let places = [Layout.pictures, Layout.metadata].map { top in
            day.map { Layout.folder(top, of: $0) } ?? top
        }
        for place in places + [Layout.incoming] { try checkIsWritable(place) }
    }

    /// The lack of space or of inodes; `nil` if the disk has room.
    func spaceObstacle() throws(SystemError) -> Obstacle? {
        try .space(on: tree.root, minimumFree: minimumFree)
    }

    /// Checks that this user may write in the folder at `path`, or where it will be made.
    private func checkIsWritable(_ path: String) throws {
        let failure: SystemError
        do throws(SystemError) {
            return try tree.root.checkWritable(path)
        } catch let error {
            failure = error
        }
        if failure.cause == .absent, path != "." {
            return try checkIsWritable(Layout.split(path).folder)
        }
        guard failure.cause == .denied, !failure.isReadOnly else { throw failure }
        let id = Account.effectiveUserID
        let user = Account.name(ofUser: id)
        // Without an account, as in a container, chown(1) knows no group of the user.
        let owner = user == "user \(id)" ? "\(id)" : "\(user):"
        throw Obstacle(
            .rights,
            "\(user) may not write in \(failure.path); as root, run “chown -R \(owner)"
                + " \(tree.root.path.shellWord)”")
    }
}
