package import APOD
package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// Checks whether this machine, its disk and its network are fit for a mirror.
///
/// The doctor works beside a running daemon and without a mirror, and removes its test files. What is in the
/// mirror is a matter of ``StatusReport``.
package struct Doctor: Sendable {
    /// The directory for the mirror.
    let root: String
    /// The mirror there, if there is one that this user may read.
    let tree: Tree?
    /// The mirror's directory, or its nearest existing parent.
    let place: Directory
    /// The directory for test files, or why this user cannot write there.
    let scratch: Result<Scratch, SystemError>
    /// The source of entries; `nil` to skip the network check.
    let feed: (any Feed)?
    let environment: [String: String]
    let now: @Sendable () -> Date
    /// The time of NASA's server in its last response, in seconds since 1970; `nil` if there is none.
    let serverTime: @Sendable () -> Double?

    /// `root` is absolute, without symbolic links; `opened` is the directory there, if it is open already.
    ///
    /// - Throws: ``SystemError`` if not even a parent directory can be opened.
    package init(
        root: String, opened: Directory? = nil, known: KnownMirrors, feed: (any Feed)?,
        environment: [String: String],
        now: @escaping @Sendable () -> Date = { Date() },
        serverTime: @escaping @Sendable () -> Double? = { nil }
    ) throws(SystemError) {
        self.root = root
        tree = try? Tree.reading(root, opened: opened, known: known)
        if let opened {
            place = opened
        } else {
            place = try Self.nearest(to: root)
        }
        scratch = Result { [place, tree] () throws(SystemError) in
            try Scratch(in: place, isMirror: tree != nil)
        }
        self.feed = feed
        self.environment = environment
        self.now = now
        self.serverTime = serverTime
    }

    private static func nearest(to path: String) throws(SystemError) -> Directory {
        do {
            return try Directory(opening: path)
        } catch  where [ENOENT, ENOTDIR].contains(error.code) && path != "/" {
            let folder = Layout.split(path).folder
            return try nearest(to: folder == "" ? "/" : folder)
        }
    }

    typealias Outcome = CheckResult.Outcome

    /// Runs the checks in order and reports each result at once; without write permission only those that
    /// need none.
    ///
    /// - Throws: `CancellationError`.
    package func run(_ report: (CheckResult) -> Void) async throws {
        report(CheckResult("write", writing))
        if let scratch = try? scratch.get() {
            report(CheckResult("fsync", flushing(in: scratch)))
            report(CheckResult("events", try await events(in: scratch)))
            report(CheckResult("symlinks", links(in: scratch)))
        }
        report(CheckResult("favorites", favorites))
        if let feed { report(CheckResult("nasa", try await newestEntry(of: feed))) }
        // After NASA's response, which has the time.
        report(CheckResult("clock", clock))
    }
}
