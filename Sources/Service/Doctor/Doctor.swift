package import APOD
package import FoundationEssentials
package import Mirror
package import Platform
internal import Synchronization
internal import Thumbnails
internal import Transfer

/// Checks whether this machine, its disk and its network are fit for a mirror.
///
/// The doctor works beside a running daemon and without a mirror, and each check removes its test files. ``StatusReport``, not
/// the doctor, says what is wrong with the pictures of a mirror.
package struct Doctor: Sendable {
    typealias Outcome = CheckResult.Outcome

    private static let oneDay = 86_400.0
    /// The difference between the clock and NASA's, in seconds, that is no problem: days are published hours apart.
    private static let clockTolerance = 3600.0

    private let place: MirrorPlace
    private let minimumFree: Int
    /// What the daemon of the mirror wrote about itself, or why that cannot be read; `nil` if it never ran.
    private let service: Result<ServiceNote?, SystemError>
    /// The command that starts the service of the mirror; `nil` if no service is installed.
    private let startCommand: String?
    private let feed: (any Feed)?
    private let now: @Sendable () -> Date
    /// The time of NASA's server in its last response, in seconds since 1970; `nil` if there is none.
    private let serverTime: @Sendable () -> Double?

    /// Prepares the checks, and opens the directories that they use.
    ///
    /// `root` is the absolute path of the mirror, without symbolic links; `known` are the directories that held a mirror.
    ///
    /// - Throws: ``SystemError`` if `root`, or the nearest directory above it that exists, cannot be opened.
    package init(
        root: String, minimumFree: Int = 0, known: KnownMirrors,
        service: Result<ServiceNote?, SystemError> = .success(nil), startCommand: String? = nil,
        feed: (any Feed)?,
        now: @escaping @Sendable () -> Date = { Date() },
        serverTime: @escaping @Sendable () -> Double? = { nil }
    ) throws(SystemError) {
        place = try MirrorPlace(root, known: known)
        self.minimumFree = minimumFree
        self.service = service
        self.startCommand = startCommand
        self.feed = feed
        self.now = now
        self.serverTime = serverTime
    }

    /// Prepares the checks of the mirror of `settings`, of its service, and unless `isOffline`, of its feed.
    package init(
        _ settings: Settings, known: KnownMirrors, environment: [String: String], isOffline: Bool
    ) throws(SystemError) {
        let unit = ServiceUnit.serving(settings.root, environment: environment)
        let serverTime = Mutex(Double?.none)
        let feed =
            isOffline
            ? nil
            : settings.feed(through: settings.client(retry: .brief)) { response in
                serverTime.withLock { $0 = response.serverTime ?? $0 }
            }
        try self.init(
            root: settings.root, minimumFree: settings.minimumFree, known: known,
            service: Result { () throws(SystemError) in
                try ServiceNote.find(root: settings.root, environment)
            },
            startCommand: ServiceUnit.isInstalled ? unit?.startCommand : nil, feed: feed,
            serverTime: { serverTime.withLock(\.self) })
    }

    /// Runs the checks in order and reports each result at once; throws only `CancellationError`.
    package func run(_ report: (CheckResult) -> Void) async throws {
        if let outcome = checkService() { report(CheckResult("service", outcome)) }
        let note = try? service.get()
        let writeCheck = WriteCheck(
            place: place, hasService: startCommand != nil,
            hasDaemonOfThisUser: note?.isOfDaemonOfThisUser ?? false, time: now())
        report(CheckResult("write", writeCheck.run()))
        if let folder = try? place.testFolder.get() {
            let disk = DiskChecks(folder: folder, mount: Mount(of: place.directory))
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

    /// Checks whether the daemon of the mirror runs; `nil` if no daemon ever ran, and no service is installed.
    private func checkService() -> Outcome? {
        do throws(SystemError) {
            if let note = try service.get() {
                let check = ServiceCheck(
                    note: note, startCommand: startCommand, tree: try? place.mirror.get())
                return try check.run()
            }
        } catch {
            return .problem("\(error)", remedy: error.remedy ?? "check the disk")
        }
        guard case .failure(.notAMirror) = place.mirror, let startCommand else { return nil }
        return .note(
            "was never started; it will keep its mirror in \(place.root)",
            remedy: "start it: \(startCommand)")
    }

    private func checkSpace() -> Outcome {
        do {
            if let obstacle = try Obstacle.space(on: place.directory, minimumFree: minimumFree) {
                return Outcome(problem: obstacle)
            }
            let bytes = try place.directory.freeBytes()
            return .ok("\(ByteCount(bytes)) are free, of which \(ByteCount(minimumFree)) stay free")
        } catch {
            return Outcome(problem: error)
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

    /// Compares the clock with that of NASA's server, if that has answered, and with the time when this program was built.
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
