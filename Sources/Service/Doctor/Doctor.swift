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
/// The doctor works beside a running daemon and without a mirror, and removes each test file at once. ``StatusReport``,
/// not the doctor, says what is wrong with the pictures of a mirror.
package struct Doctor: Sendable {
    typealias Outcome = CheckResult.Outcome

    private static let oneDay = 86_400.0
    /// The difference between the clock and NASA's, in seconds, that is no problem: days are published hours apart.
    private static let clockTolerance = 3600.0

    /// The path of the mirror, which need not exist.
    private let root: String
    /// The mirror, or why it cannot be opened.
    private let mirror: Result<Tree, TreeError>
    /// The directory of the mirror, or the nearest directory above it that exists.
    private let place: Directory
    /// The directory for test files, or why this user cannot write there.
    private let scratch: Result<Directory, SystemError>
    private let minimumFree: Int
    /// What the daemon of the mirror wrote about itself, or why that cannot be read; `nil` if it never ran.
    private let service: Result<ServiceNote?, SystemError>
    /// The command that starts the service of the mirror; `nil` if no service is installed.
    private let startCommand: String?
    /// NASA's feed; `nil` if the network is not to be checked.
    private let feed: (any Feed)?
    private let now: @Sendable () -> Date
    /// The time of NASA's server in its last response, in seconds since 1970; `nil` if there is none.
    private let serverTime: @Sendable () -> Double?

    /// Prepares the checks, and makes a test file to see whether this user may write.
    ///
    /// `root` is the absolute path of the mirror, without symbolic links; `known` are the directories that held a mirror.
    ///
    /// - Throws: ``SystemError`` if not even a directory above `root` can be opened.
    package init(
        root: String, minimumFree: Int = 0, known: KnownMirrors,
        service: Result<ServiceNote?, SystemError> = .success(nil), startCommand: String? = nil,
        feed: (any Feed)?,
        now: @escaping @Sendable () -> Date = { Date() },
        serverTime: @escaping @Sendable () -> Double? = { nil }
    ) throws(SystemError) {
        self.root = root
        self.minimumFree = minimumFree
        mirror = Result { () throws(TreeError) in try Tree.reading(root, known: known) }
        place = try Self.nearestDirectory(to: root)
        scratch = Result { [place, mirror] () throws(SystemError) in
            try Self.scratch(in: place, of: mirror)
        }
        self.service = service
        self.startCommand = startCommand
        self.feed = feed
        self.now = now
        self.serverTime = serverTime
    }

    /// Prepares the checks of the mirror of `settings`, of its service, and unless `isOffline`, of its feed.
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
            service: Result { () throws(SystemError) in
                try ServiceNote.find(root: settings.root, environment)
            },
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
            let disk = DiskChecks(folder: scratch, mount: Mount(of: place))
            report(CheckResult("fsync", disk.checkFlush()))
            report(CheckResult("publishing", disk.checkPublishing()))
            report(CheckResult("lock", disk.checkLock()))
            report(CheckResult("events", try await disk.checkEvents()))
            report(CheckResult("symlinks", disk.checkLinks()))
        }
        report(CheckResult("space", checkSpace()))
        report(CheckResult("thumbnailer", checkThumbnailer()))
        if let feed { report(CheckResult("nasa", try await FeedCheck(feed: feed).run())) }
        // The last check, because NASA's response has the time of NASA's server.
        report(CheckResult("clock", checkClock()))
    }

    /// The directory for test files: in a mirror, it is `incoming/`, which the daemon empties at each start.
    ///
    /// - Throws: ``SystemError`` if this user cannot write there.
    private static func scratch(
        in place: Directory, of mirror: Result<Tree, TreeError>
    ) throws(SystemError) -> Directory {
        var folder = place
        if case .success = mirror { folder = try place.folder(Layout.incoming) ?? place }
        // The file is released at once, which removes it.
        _ = try AtomicFile(Layout.doctor, in: folder)
        return folder
    }

    /// Opens the directory at `path`, or the nearest directory above it that exists.
    private static func nearestDirectory(to path: String) throws(SystemError) -> Directory {
        do {
            return try Directory(opening: path)
        } catch  where [ENOENT, ENOTDIR].contains(error.code) && path != "/" {
            let folder = Layout.split(path).folder
            return try nearestDirectory(to: folder == "" ? "/" : folder)
        }
    }

    /// Checks whether the daemon of the mirror runs; `nil` if no daemon ever ran, and no service is installed.
    private func checkService() -> Outcome? {
        do throws(SystemError) {
            if let note = try service.get() {
                // It is needed only for a failure.
                let success = if case .failed = note.state { try lastSuccess } else { Date?.none }
                return ServiceCheck(
                    note: note, startCommand: startCommand, lastSuccess: success
                ).run()
            }
        } catch {
            return .problem("\(error)", remedy: error.remedy ?? "check the disk")
        }
        guard case .failure(.notAMirror) = mirror, let startCommand else { return nil }
        return .note(
            "was never started; it will keep its mirror in \(root)",
            remedy: "start it: \(startCommand)")
    }

    private var lastSuccess: Date? {
        get throws(SystemError) {
            guard case .success(let tree) = mirror else { return nil }
            return try Store(reading: tree).state().lastSuccess
        }
    }

    /// Checks whether the disk of the mirror is mounted, and this user may write to it.
    private func checkWriting() -> Outcome {
        if case .failure(.unmounted) = mirror {
            return .problem(
                "\(root) was a mirror; probably its disk is not mounted",
                remedy: "mount its disk, or for a new mirror there run “mkdir -p"
                    + " \("\(root)/\(Layout.own)".shellWord)”")
        }
        do throws(SystemError) {
            _ = try scratch.get()
        } catch {
            return judge(refusal: error)
        }
        do {
            if let tree = try presentMirror {
                let store = Store(reading: tree)
                try store.checkCanPublish(at: now())
                try store.checkInternalFilesAreReadable()
                try store.checkAllFoldersAreWritable()
                let owner = try place.status().owner
                if Account.effectiveUserID == 0, owner != 0 {
                    let name = Account.name(ofUser: owner)
                    return .note(
                        "root may write everywhere, which does not say that \(name) may",
                        remedy: remedy(runningAs: owner))
                }
            }
            return .ok("\(Account.effectiveName) may write in \(place.path)")
        } catch let obstacle as Obstacle {
            return .problem(obstacle)
        } catch let error as SystemError {
            return .problem(error)
        } catch let error as TreeError {
            return .problem(error)
        } catch {
            return .problem("\(error)", remedy: "check the disk, or choose another --root")
        }
    }

    /// The mirror; `nil` if there is none yet.
    ///
    /// - Throws: ``TreeError`` if no command can open what is there.
    private var presentMirror: Tree? {
        get throws(TreeError) {
            do {
                return try mirror.get()
            } catch .notAMirror {
                return nil
            }
        }
    }

    /// The outcome for a user who cannot write a test file because of `error`.
    private func judge(refusal error: SystemError) -> Outcome {
        guard error.code != EROFS else {
            return .problem(
                "\(place.path) is on a file system that is mounted read-only",
                remedy: "remount it writable (mount -o remount,rw), or choose another --root")
        }
        let owner = (try? place.status())?.owner
        guard error.cause == .denied, mayBelongToOther, owner != Account.effectiveUserID else {
            guard case .success(let tree) = mirror, let remedy = tree.remedy(for: error) else {
                return .problem(error)
            }
            return .problem("\(error)", remedy: remedy)
        }
        let name = owner.map(Account.name(ofUser:)) ?? "its owner"
        return .note(
            "\(Account.effectiveName) may not write in \(place.path); \(name) may",
            remedy: remedy(runningAs: owner))
    }

    /// What to do if the checks say nothing about `owner`, for whom the mirror is kept.
    private func remedy(runningAs owner: UInt32?) -> String {
        let name = owner.map(Account.name(ofUser:)) ?? "its owner"
        let sudo = owner.map(Account.sudo(asUser:)) ?? "sudo -u OWNER"
        return "run all checks as \(name): \(sudo) apod-mirror doctor --root \(root.shellWord)"
    }

    /// Whether another user or a service may keep the mirror: then it is no problem that this user cannot write.
    private var mayBelongToOther: Bool {
        if case .success = mirror { true } else { startCommand != nil }
    }

    private func checkSpace() -> Outcome {
        do {
            if let obstacle = try Obstacle.space(on: place, minimumFree: minimumFree) {
                return .problem(obstacle)
            }
            let bytes = try place.freeBytes()
            return .ok("\(ByteCount(bytes)) are free, of which \(ByteCount(minimumFree)) stay free")
        } catch {
            return .problem(error)
        }
    }

    private func checkThumbnailer() -> Outcome {
        guard Thumbnails.Options().program != nil else {
            return .note(
                "apod-mirror-thumbnailer is not installed: the mirror has no thumbnails",
                remedy: "install it beside apod-mirror, as the package does, or set --thumbnails no"
            )
        }
        return .ok("is installed")
    }

    /// Checks whether the clock is near the clock of NASA's server, if that has answered, and not before this program was
    /// built.
    private func checkClock() -> Outcome {
        let now = now()
        let text = "the time is \(now.timestamp)"
        let remedy = "set the clock: timedatectl set-ntp true"
        if let time = serverTime(),
            abs(now.timeIntervalSince1970 - time) > Self.clockTolerance
        {
            let server = Date(timeIntervalSince1970: time).timestamp
            return .problem("\(text), and \(server) by the clock of NASA's server", remedy: remedy)
        }
        // The modification time of the program's file is the time of the build, because packages preserve it. An archive may
        // have stored it in local time: a day is tolerated.
        let built = Date(timeIntervalSince1970: Double(Installation.modified))
        if built.timeIntervalSince(now) > Self.oneDay {
            let day = built.timestamp.prefix(10)
            return .problem("\(text), before this program was built, \(day)", remedy: remedy)
        }
        return .ok(text)
    }
}
