package import APOD
package import FoundationEssentials
package import Platform

/// A problem that prevents every download, such as a full disk; a problem of a single day is a ``DayProblem``.
///
/// A sync finds the obstacle, and saves it in `state.json`. The log, the exit code, `status` and systemd show it.
package struct Obstacle: Error, Hashable, Codable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// NASA cannot be reached, or answers without its list of entries.
        case network
        /// The disk is read-only or fails, or this machine lacks memory or descriptors.
        case disk
        /// The disk is full, or has only the free space that `--min-free` reserves.
        case space
        /// The clock of this machine is wrong: all of NASA's entries are in the future, or no certificate seems to be valid.
        case clock
        /// This user may not write where days are published.
        case rights
    }

    package let kind: Kind
    /// What is wrong, and after a semicolon what to do: `/srv/apod: no inodes are free; delete small files on that disk`.
    package let text: String
    /// When the first sync met an obstacle of this kind that all later ones have met, too.
    package private(set) var since: Date

    package init(_ kind: Kind, _ text: String, since: Date = Date()) {
        self.kind = kind
        self.text = text
        self.since = since
    }

    /// What is wrong: the part of ``text`` before the semicolon.
    package var summary: String {
        text.firstRange(of: "; ").map { String(text[..<$0.lowerBound]) } ?? text
    }

    /// This obstacle; if the sync before met an obstacle of the same kind, `earlier`, it lasts since that time.
    package func following(_ earlier: Obstacle?) -> Obstacle {
        guard let earlier, earlier.kind == kind else { return self }
        var obstacle = self
        obstacle.since = min(since, earlier.since)
        return obstacle
    }
}

extension Obstacle {
    /// Makes the obstacle of a failed request for NASA's newest entries.
    package init(ofRequest error: FeedError, to feed: FeedKind) {
        if error.ofFirstRoute == .future {
            self.init(.clock, "\(error); set the clock, and switch on its synchronization")
        } else {
            let advice = feed.advice ?? "check the network, --upstream and --feed"
            self.init(.network, "\(error); \(advice)")
        }
    }

    /// Makes the obstacle of an error of this machine, with what a person can do about it.
    init(_ error: any Error) {
        let systemError = error as? SystemError
        if let systemError, systemError.isNoSpace {
            self.init(.space, "\(error); \(systemError.remedy ?? "free disk space")")
        } else if systemError?.isReadOnly == true {
            self.init(.disk, "\(error); remount it writable")
        } else {
            let kind = systemError?.cause == .denied ? Kind.rights : .disk
            let remedy = systemError?.remedy ?? "check the disk and the limits (ulimit -a)"
            self.init(kind, "\(error); \(remedy)")
        }
    }
}

extension Obstacle {
    /// The lack of free space on the disk of `root`, of which `minimumFree` bytes are reserved, or of inodes.
    ///
    /// `nil` if the disk has room.
    package static func space(
        on root: Directory, minimumFree: Int, at now: Date = Date()
    ) throws(SystemError) -> Obstacle? {
        // Asked first, because more bytes would not help.
        if try root.isOutOfFiles() {
            return Obstacle(
                .space,
                "\(root.path): no inodes are free, nothing is downloaded; delete small files on that disk, see “df"
                    + " -i”", since: now)
        }
        let bytes = try root.freeBytes()
        guard bytes - minimumFree < Store.spaceForRecords else { return nil }
        let limit = minimumFree > 0 ? "--min-free \(ByteCount(minimumFree).typed)" : root.path
        return Obstacle(
            .space,
            "\(limit): \(ByteCount(bytes)) are free, nothing is downloaded; free disk space, or lower"
                + " --min-free", since: now)
    }
}

extension Store {
    /// The lack of free space or of inodes; `nil` if the disk has room.
    func spaceObstacle() throws(SystemError) -> Obstacle? {
        try .space(on: tree.root, minimumFree: minimumFree)
    }

    /// Why the disk takes no picture of a usual size; `nil` if it takes one.
    func obstacleToPictures() -> Obstacle? {
        do throws(SystemError) {
            if let obstacle = try spaceObstacle() { return obstacle }
            try testWrite(Self.spaceForPicture)
            return nil
        } catch {
            return error.isNoSpace ? Obstacle(error) : nil
        }
    }
}
