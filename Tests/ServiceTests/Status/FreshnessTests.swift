import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Service

/// The health of a mirror, which determines the exit code of `status`.
@Suite(.timeLimit(.minutes(10))) struct FreshnessTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        /// The age in days of the newest day with files.
        var newest: Int? = 0
        /// The age in days of the newest day of NASA.
        var published: Int? = 0
        /// The hours since NASA was last reached.
        var hoursSinceSuccess: Double? = 1
        /// The causes of missing days, by their age.
        var causes: [Int: RetryState.Cause] = [:]
        var now = EmptyFileMirror.now
        let health: StatusReport.Health
    }

    /// The first moment of the 20th.
    private static let midnight = EmptyFileMirror.now - 43_200

    static let cases = [
        Case(testDescription: "all is here", health: .ok),
        Case(
            testDescription: "nothing is here, nothing is known", newest: nil, published: nil,
            hoursSinceSuccess: nil, health: .missing),
        Case(
            testDescription: "all is here, NASA was never reached", published: nil,
            hoursSinceSuccess: nil, health: .missing),
        Case(testDescription: "a day is missing", newest: 1, health: .missing),
        Case(
            testDescription: "two days old to the second", newest: 2, now: midnight,
            health: .missing),
        Case(testDescription: "a second older", newest: 2, now: midnight + 1, health: .stale),
        Case(testDescription: "NASA is silent for a week", newest: 7, published: 7, health: .ok),
        Case(
            testDescription: "NASA was silent, and is out of reach for a day", newest: 7,
            published: 7, hoursSinceSuccess: 24.1, health: .stale),
        Case(
            testDescription: "NASA was last reached in the future", newest: 7, published: 7,
            hoursSinceSuccess: -24 * 30, health: .stale),
        Case(
            testDescription: "NASA was never reached, and the days are old", newest: 7,
            published: nil, hoursSinceSuccess: nil, health: .stale),
        Case(
            testDescription: "NASA was reached, and what it has is not known", newest: 7,
            published: nil, health: .ok),
        Case(
            testDescription: "videos whose stills fail come day after day", newest: 4,
            causes: [0: .noStill, 1: .noStill], health: .missing),
        Case(
            testDescription: "newer days cannot be downloaded", newest: 4,
            causes: [0: .unusable, 1: .unreachable], health: .stale),
        Case(
            testDescription: "NASA has only placeholders", newest: 4, causes: [0: .lost],
            health: .stale),
        Case(
            testDescription: "videos without a picture come day after day", newest: 4,
            causes: [0: .noImage, 1: .noImage], health: .missing),
        Case(
            testDescription: "all wanted days are videos without a picture", newest: 3,
            causes: [0: .noImage, 1: .noImage, 2: .noImage], health: .ok),
        Case(
            testDescription: "the clock is a month behind", now: EmptyFileMirror.now - 30 * 86_400,
            health: .ok),
    ]

    @Test(arguments: cases)
    func aMirrorIsStaleByItsNewestDay(_ test: Case) async throws {
        try await withEmptyMirror { mirror, store in
            if let newest = test.newest { try mirror.add(newest...newest + 9) }
            try mirror.saveState { state in
                state.newest = test.published.map { EmptyFileMirror.today.advanced(by: -$0) }
                state.lastSuccess = test.hoursSinceSuccess.map { test.now - $0 * 3600 }
                for (age, cause) in test.causes {
                    state.retries[EmptyFileMirror.today.advanced(by: -age)] = RetryState(
                        cause, "", after: nil, at: test.now)
                }
            }

            #expect(try mirror.report(now: test.now).health == test.health)
        }
    }

    /// A mirror that no process writes.
    struct Abandoned: CustomTestStringConvertible {
        let testDescription: String
        /// Whether the last run was a daemon, and not a single one.
        var hadDaemon = true
        /// The age in days of the newest day, here and at NASA.
        var newest = 1
        /// Hours since the start of the 20th in UTC.
        let hour: Double
        /// The hours since NASA was last reached.
        var hoursSinceSuccess = 24.0
        let health: StatusReport.Health
    }

    static let abandoned = [
        Abandoned(testDescription: "NASA has just published", hour: 6, health: .ok),
        Abandoned(testDescription: "NASA published an hour ago", hour: 6.1, health: .stale),
        Abandoned(testDescription: "the day is here", newest: 0, hour: 6.1, health: .ok),
        Abandoned(
            testDescription: "NASA was late when the daemon ended", hour: 20, hoursSinceSuccess: 10,
            health: .ok),
        Abandoned(
            testDescription: "NASA was reached the day before", hour: 6.1, hoursSinceSuccess: 8,
            health: .stale),
        Abandoned(
            testDescription: "a single run, before that of the next day", hadDaemon: false,
            hour: 23.9, health: .ok),
        Abandoned(
            testDescription: "single runs that came to an end", hadDaemon: false, newest: 2,
            hour: 6.1, hoursSinceSuccess: 30, health: .stale),
    ]

    @Test(arguments: abandoned)
    func aMirrorIsStaleOnceNASAHasPublishedAfterTheDaemonEnded(_ test: Abandoned) async throws {
        try await withTemporaryFolder { path in
            let now = Self.midnight + test.hour * 3600
            do {
                // It writes the mirror until the end of this scope.
                let mirror = try EmptyFileMirror("\(path)/apod")
                try mirror.add(test.newest...test.newest + 9)
                try mirror.saveState { state in
                    state.newest = EmptyFileMirror.today.advanced(by: -test.newest)
                    state.lastSuccess = now - test.hoursSinceSuccess * 3600
                }
                var run = LastRun(process: 1)
                run.watcher = test.hadDaemon ? .events : nil
                try Store(tree: mirror.tree, minimumFree: 0).write(run, to: Layout.service)
            }
            let tree = try Tree.reading("\(path)/apod", known: KnownMirrors(environment: [:]))

            let report = try StatusReport(of: tree, now: now, built: .distantPast)

            #expect(report.writer == nil && report.health == test.health)
        }
    }

    // MARK: Daemons

    /// Writes the note of another process that runs: a note never counts as that of the process which reads it.
    private func writeNoteOfParent(
        _ environment: [String: String], root: String, in path: String
    ) throws {
        try ServiceNoteFile(environment).write(.running(), for: Settings(root: root))
        let folder = try Directory(opening: "\(path)/apod-mirror")
        let bytes = try #require(try folder.read("service.json"))
        let name = try #require(OtherProcess.name(of: getppid()))
            .replacing("\n", with: "\\n")
        let note = String(decoding: bytes, as: UTF8.self)
            .replacing(#/"process" *: *\d+/#) { _ in "\"process\": \(getppid())" }
            .replacing(#/"processName" *: *"[^"]*"/#) { _ in "\"processName\": \"\(name)\"" }
        try AtomicFile.publish(Array(note.utf8), in: folder, as: "service.json", through: folder)
    }

    private func doctor(
        _ root: String, _ environment: [String: String]
    ) async throws
        -> CheckResult?
    {
        let doctor = try Doctor(
            root: root, known: KnownMirrors(environment: [:]),
            service: .success(try ServiceNote.find(root: root, environment)), feed: nil)
        var results: [CheckResult] = []
        try await doctor.run { results.append($0) }
        return results.first { $0.name == "service" }
    }

    /// As when the disk of the note was full at its start.
    @Test(arguments: [ServiceNote.State.stopped, .failed(reason: "no disk"), .waiting(reason: "")])
    func aDaemonThatCouldNotWriteItsNoteRunsAllTheSame(noted: ServiceNote.State) async throws {
        try await withTemporaryFolder { path in
            let (root, environment) = ("\(path)/apod", ["XDG_STATE_HOME": path])
            try ServiceNoteFile(environment).write(noted, for: Settings(root: root))

            let mirror = try EmptyFileMirror(root)
            let running = try await doctor(root, environment)
            _ = consume mirror
            let ended = try await doctor(root, environment)

            #expect(running?.severity == .ok, "\(String(describing: running))")
            #expect(ended?.severity != .ok, "\(String(describing: ended))")
        }
    }

    /// Until it notices this, it would count as running, or as ended, although it has to be started again.
    @Test func aDaemonWhoseMirrorWasExchangedIsNamed() async throws {
        try await withTemporaryFolder { path in
            let (root, environment) = ("\(path)/apod", ["XDG_STATE_HOME": path])
            func named() async throws -> (status: Int32?, doctor: CheckResult?) {
                let note = try ServiceNote.find(root: root, environment)
                let tree = try Tree.reading(root, known: KnownMirrors(environment: [:]))
                let status = try StatusReport(
                    of: tree, service: note, now: EmptyFileMirror.now, built: .distantPast)
                return (status.daemonOfExchangedMirror, try await doctor(root, environment))
            }
            let mirror = try EmptyFileMirror(root)
            try writeNoteOfParent(environment, root: root, in: path)
            let before = try await named()

            let own = try #require(try mirror.tree.root.folder(Layout.own))
            try AtomicFile.publish([], in: own, as: "lock", through: own)
            let after = try await named()

            #expect(before.status == nil && before.doctor?.severity == .ok, "\(before)")
            #expect(after.status == getppid() && after.doctor?.severity == .problem, "\(after)")
        }
    }

    /// As after a restore into the same files, which leaves the lock but not what the daemon has written into it.
    @Test func theNumberOfTheDaemonIsThatInItsNote() async throws {
        try await withTemporaryFolder { path in
            let mirror = try EmptyFileMirror("\(path)/apod")
            let environment = ["XDG_STATE_HOME": path]
            let lock = try mirror.tree.root.openFile(Layout.lock, O_WRONLY | O_TRUNC)
            try lock.write(Array("1 daemon\n".utf8), path: Layout.lock)
            try writeNoteOfParent(environment, root: mirror.tree.root.path, in: path)

            let report = try StatusReport(
                of: mirror.tree,
                service: ServiceNote.find(root: mirror.tree.root.path, environment),
                now: EmptyFileMirror.now, built: .distantPast)

            #expect(report.writer?.process == getppid())
        }
    }

    // MARK: Obstacles

    /// What the daemon could save in the mirror, and what it could not, such as on a disk that became read-only.
    @Test(arguments: [true, false])
    func anObstacleIsTheHealthOfAMirrorWhoseDaysAreHere(isInState: Bool) async throws {
        try await withTemporaryFolder { path in
            let mirror = try EmptyFileMirror("\(path)/apod")
            let obstacle = Obstacle(.disk, "read-only; remount it", since: EmptyFileMirror.now - 60)
            try mirror.add(0...2)
            try mirror.saveState { state in
                state.newest = EmptyFileMirror.today
                state.lastSuccess = EmptyFileMirror.now - 3600
                state.obstacle = isInState ? obstacle : nil
            }
            let environment = ["XDG_STATE_HOME": path]
            if !isInState {
                try ServiceNoteFile(environment).write(
                    .running(obstacle: obstacle), for: Settings(root: mirror.tree.root.path))
            }

            let report = try StatusReport(
                of: mirror.tree,
                service: ServiceNote.find(root: mirror.tree.root.path, environment),
                now: EmptyFileMirror.now, built: .distantPast)

            #expect(report.health == .obstructed && report.obstacle == obstacle)
        }
    }

    /// Otherwise, `status` would go on to report a failure that is over, or none at all.
    @Test(arguments: [true, false])
    func aNoteThatCouldNotBeWrittenIsWrittenWithTheNextReport(hasFailure: Bool) async throws {
        try await withTemporaryFolder { path in
            let environment = ["XDG_STATE_HOME": path]
            let lines = Monitor([String]())
            let log = Log(environment: [:], output: { line in lines.withLock { $0.append(line) } })
            let writer = ServiceNoteWriter(
                Settings(root: "/srv/apod"), to: ServiceNoteFile(environment), log: log)
            let failure = SyncState.Failure(at: EmptyFileMirror.now, message: "no rights")
            func noted() throws -> [LastRun.ServiceName: SyncState.Failure]? {
                try ServiceNote.find(root: "/srv/apod", environment)?.failures
            }
            // In place of the directory for the note.
            let folder = try Directory(opening: path)
            try AtomicFile.publish([], in: folder, as: "apod-mirror", through: folder)

            writer.writeStart()
            if hasFailure { writer.record(failure, of: .views) }
            let first = try ServiceNote.find(root: "/srv/apod", environment)
            try folder.remove("apod-mirror")
            writer.record(nil)
            let second = try ServiceNote.find(root: "/srv/apod", environment)
            try Directory(opening: "\(path)/apod-mirror").remove("service.json")
            writer.record(nil)

            #expect(first == nil && second != nil)
            #expect(try ServiceNote.find(root: "/srv/apod", environment) != nil)
            #expect(try noted() == (hasFailure ? [.views: failure] : nil))
            #expect(lines.withLock { $0 }.count == 1)
        }
    }

    /// A daemon on a full disk can write its note on another disk, but not the state of the mirror.
    @Test func aFullDiskIsFullSinceTheTimeInTheNoteOfTheDaemon() async throws {
        try await withTemporaryFolder { path in
            let mirror = try EmptyFileMirror("\(path)/apod")
            let since = EmptyFileMirror.now - 3 * 86_400
            var run = LastRun(process: 1)
            run.settings = ["min-free": "900000TiB"]
            try Store(tree: mirror.tree, minimumFree: 0).write(run, to: Layout.service)
            let environment = ["XDG_STATE_HOME": path]
            try ServiceNoteFile(environment).write(
                .running(obstacle: Obstacle(.space, "full", since: since)),
                for: Settings(root: mirror.tree.root.path))

            let report = try StatusReport(
                of: mirror.tree,
                service: ServiceNote.find(root: mirror.tree.root.path, environment),
                now: EmptyFileMirror.now, built: .distantPast)

            #expect(report.obstacle?.kind == .space && report.obstacle?.since == since)
        }
    }

    /// A daemon of the mirror may have ended long ago, and with it what it met.
    @Test func theObstacleOfADaemonThatEndedIsNotThatOfTheMirror() async throws {
        try await withTemporaryFolder { path in
            do {
                let mirror = try EmptyFileMirror("\(path)/apod")
                try mirror.saveState { $0.obstacle = Obstacle(.network, "no route") }
                var run = LastRun(process: 1)
                run.watcher = .events
                try Store(tree: mirror.tree, minimumFree: 0).write(run, to: Layout.service)
            }
            let tree = try Tree.reading("\(path)/apod", known: KnownMirrors(environment: [:]))

            let report = try StatusReport(of: tree, now: EmptyFileMirror.now, built: .distantPast)

            #expect(report.obstacle == nil)
        }
    }

    /// Otherwise nobody sees what makes the disk full.
    @Test(arguments: [Layout.previous, Layout.damaged])
    func whatWasReplacedCountsForTheSize(place: String) async throws {
        try await withEmptyMirror { mirror, store in
            try mirror.add(0...2)
            let before = try mirror.report().sizes.media
            let name = FileName.archived(
                "X.jpg", day: EmptyFileMirror.today, sha256: String(repeating: "a", count: 64))
            try store.publish([1, 2, 3], at: "\(place)/\(name)")

            #expect(try mirror.report().sizes.media == before + 3)
        }
    }

    /// As of a clock that was ahead.
    @Test func aFutureDayIsNotTheNewest() async throws {
        try await withEmptyMirror { mirror, store in
            try mirror.add(0...9)
            try mirror.add(-300 ... -300)
            try mirror.saveState { state in
                state.newest = EmptyFileMirror.today.advanced(by: 300)
                state.lastSuccess = EmptyFileMirror.now - 3600
            }

            let report = try mirror.report()

            #expect(report.days.newest == EmptyFileMirror.today && report.health == .ok)
            #expect(report.days.wanted.count == 3 && report.days.wanted.withFiles == 3)
            #expect(report.metrics(endingWith: 0).contains(/newest_age_seconds\{.*\} 43200\n/))
        }
    }
}
