package import APOD
package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// Checks whether this machine, its disk and its network are fit for a mirror.
///
/// It works beside a running daemon and without a mirror, and removes its test files.
package struct Doctor: Sendable {
    /// The directory for the mirror.
    let root: String
    /// The mirror there, or why there is none.
    let found: Result<Tree, TreeError>
    /// The mirror's directory, or its nearest existing parent.
    let place: Directory
    /// The directory for test files, or why this user cannot write there.
    let scratch: Result<Scratch, SystemError>
    let minimumFree: Int
    /// The same as it was typed.
    let minimumFreeText: String
    /// The source of entries; `nil` to skip the network check.
    let feed: (any Feed)?
    /// The path of the thumbnailer; `nil` if it is not installed.
    let thumbnailer: String?
    let environment: [String: String]
    let now: @Sendable () -> Date
    /// The time of NASA's server in its last response, in seconds since 1970; `nil` if there is none.
    let serverTime: @Sendable () -> Double?

    /// `root` is absolute, without symbolic links; `opened` is the directory there, if it is open already.
    ///
    /// - Throws: ``SystemError`` if not even a parent directory can be opened.
    package init(
        root: String, opened: Directory? = nil, known: KnownMirrors, minimumFree: Int,
        minimumFreeText: String? = nil,
        feed: (any Feed)?, thumbnailer: String?, environment: [String: String],
        now: @escaping @Sendable () -> Date = { Date() },
        serverTime: @escaping @Sendable () -> Double? = { nil }
    ) throws(SystemError) {
        self.root = root
        found = Result { () throws(TreeError) in
            try Tree.reading(root, opened: opened, known: known)
        }
        if let opened {
            place = opened
        } else {
            place = try Self.nearest(to: root)
        }
        let isMirror = (try? found.get()) != nil
        scratch = Result { [place] () throws(SystemError) in
            try Scratch(in: place, isMirror: isMirror)
        }
        self.minimumFree = minimumFree
        self.minimumFreeText = minimumFreeText ?? ByteSize.text(of: minimumFree)
        self.feed = feed
        self.thumbnailer = thumbnailer
        self.environment = environment
        self.now = now
        self.serverTime = serverTime
    }

    var tree: Tree? { try? found.get() }

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
        report(CheckResult("mirror", mirror))
        report(CheckResult("write", writing))
        if let scratch = try? scratch.get() {
            report(CheckResult("fsync", syncing(in: scratch)))
            report(CheckResult("events", try await events(in: scratch)))
            report(CheckResult("symlinks", links(in: scratch)))
        }
        report(CheckResult("space", space))
        report(CheckResult("favorites", favorites))
        report(CheckResult("thumbnailer", try await thumbnailing()))
        if let feed { report(CheckResult("nasa", try await newestEntry(of: feed))) }
        // After NASA's response, which has the time.
        report(CheckResult("clock", clock))
    }
}
