package import APOD
package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform
internal import Synchronization
internal import Thumbnails
internal import Transfer

/// Checks whether this machine, its disk and its network are fit for a mirror.
///
/// The doctor works beside a running daemon and without a mirror. Each test file is removed at once. What is in the mirror
/// is a matter of ``StatusReport``.
package struct Doctor: Sendable {
    enum Presence {
        case present(Tree)
        /// There was one; probably its disk is not mounted.
        case unmounted
        /// There is none, or it cannot be read, for whatever reason.
        case absent
    }

    /// The path of the mirror, which need not exist.
    let root: String
    /// The bytes to leave free.
    let minimumFree: Int
    /// What is there.
    let mirror: Presence
    /// The directory of the mirror, or the nearest directory above it that exists.
    let place: Directory
    /// The directory for test files, or why this user cannot write there.
    let scratch: Result<Directory, SystemError>
    /// What the daemon of the mirror left; `nil` if it left nothing.
    let service: ServiceNote?
    /// What starts the unit that serves the mirror; `nil` if none is installed that does.
    let startCommand: String?
    /// The source of entries; `nil` to skip the network check.
    let feed: (any Feed)?
    let now: @Sendable () -> Date
    /// The time of NASA's server in its last response, in seconds since 1970; `nil` if there is none.
    let serverTime: @Sendable () -> Double?

    /// Makes a test file where the mirror is or would be; `root` is absolute, without symbolic links.
    ///
    /// `known` are the directories that held a mirror before.
    ///
    /// - Throws: ``SystemError`` if not even a parent directory can be opened.
    package init(
        root: String, minimumFree: Int = 0, known: KnownMirrors, service: ServiceNote? = nil,
        startCommand: String? = nil, feed: (any Feed)?,
        now: @escaping @Sendable () -> Date = { Date() },
        serverTime: @escaping @Sendable () -> Double? = { nil }
    ) throws(SystemError) {
        self.root = root
        self.minimumFree = minimumFree
        do throws(TreeError) {
            mirror = .present(try Tree.reading(root, known: known))
        } catch .unmounted {
            mirror = .unmounted
        } catch {
            mirror = .absent
        }
        place = try Self.nearest(to: root)
        scratch = Result { [place, mirror] () throws(SystemError) in
            try Self.scratch(in: place, of: mirror)
        }
        self.service = service
        self.startCommand = startCommand
        self.feed = feed
        self.now = now
        self.serverTime = serverTime
    }

    /// Checks the mirror of `settings`, its service by `environment`, and its feed unless `isOffline`.
    package init(
        _ settings: Settings, known: KnownMirrors, environment: [String: String],
        isOffline: Bool
    ) throws(SystemError) {
        let unit = ServiceUnit.serving(settings.root, environment: environment)
        let serverTime = Mutex(Double?.none)
        let feed =
            isOffline
            ? nil
            : settings.feed(through: settings.client(retry: .brief)) { response in
                serverTime.withLock { $0 = response.date ?? $0 }
            }
        try self.init(
            root: settings.root, minimumFree: settings.minimumFree, known: known,
            service: ServiceNote.find(root: settings.root, environment),
            startCommand: ServiceUnit.isInstalled ? unit?.startCommand : nil, feed: feed,
            serverTime: { serverTime.withLock(\.self) })
    }

    /// Runs the checks in order and reports each result at once.
    ///
    /// - Throws: `CancellationError`.
    package func run(_ report: (CheckResult) -> Void) async throws {
        if let outcome = checkService() { report(CheckResult("service", outcome)) }
        report(CheckResult("write", checkWriting()))
        if let scratch = try? scratch.get() {
            report(CheckResult("fsync", checkFlush(in: scratch)))
            report(CheckResult("publishing", checkPublishing(in: scratch)))
            report(CheckResult("lock", checkLock(in: scratch)))
            report(CheckResult("events", try await checkEvents(in: scratch)))
            report(CheckResult("symlinks", checkLinks(in: scratch)))
        }
        report(CheckResult("space", checkSpace()))
        report(CheckResult("thumbnailer", checkThumbnailer()))
        if let feed { report(CheckResult("nasa", try await checkFeed(feed))) }
        // After NASA's response, which has the time.
        report(CheckResult("clock", checkClock()))
    }

    /// The directory for test files: in a mirror `incoming/`, which the daemon empties at each start.
    ///
    /// - Throws: ``SystemError`` if this user cannot write there.
    private static func scratch(
        in place: Directory, of mirror: Presence
    ) throws(SystemError) -> Directory {
        var folder = place
        if case .present = mirror { folder = try place.folder(Layout.incoming) ?? place }
        // The test file is removed at once.
        _ = try AtomicFile(Layout.doctor, in: folder)
        return folder
    }

    private static func nearest(to path: String) throws(SystemError) -> Directory {
        do {
            return try Directory(opening: path)
        } catch  where [ENOENT, ENOTDIR].contains(error.code) && path != "/" {
            let folder = Layout.split(path).folder
            return try nearest(to: folder == "" ? "/" : folder)
        }
    }

    /// Checks whether the program that makes thumbnails is installed.
    private func checkThumbnailer() -> Outcome {
        guard Thumbnails.Options().program != nil else {
            return .note(
                "apod-mirror-thumbnailer is not installed: the mirror has no thumbnails",
                remedy: "install it beside apod-mirror, as the package does, or set --thumbnails no"
            )
        }
        return .ok("is installed")
    }

    typealias Outcome = CheckResult.Outcome

    /// The problem of an obstacle, whose text is “what; what to do”.
    static func problem(_ obstacle: Obstacle) -> Outcome {
        .problem(
            obstacle.summary, remedy: String(obstacle.text.dropFirst(obstacle.summary.count + 2)))
    }

    /// The problem of an error that a check does not expect.
    static func problem(_ error: SystemError) -> Outcome {
        let remedy =
            if error.isNoSpace {
                "free disk space"
            } else if error.cause == .denied, !error.isReadOnly {
                "give this user permission there"
            } else {
                error.remedy ?? "check the disk"
            }
        return .problem("\(error)", remedy: "\(remedy), or choose another --root")
    }
}
