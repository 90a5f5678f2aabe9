import APOD
import FoundationEssentials
import Glibc
import Mirror
import TestSupport
import Testing

@testable import Platform
@testable import Service

@Suite(.serialized, .watching, .timeLimit(.minutes(10))) struct DoctorTests {
    static func check(
        _ root: String, feed: (any Feed)? = nil, now: Date = Date(), serverTime: Double? = nil
    ) async throws -> [String: CheckResult] {
        let doctor = try Doctor(
            root: root, known: KnownMirrors(environment: [:]), feed: feed, now: { now },
            serverTime: { serverTime })
        var results: [CheckResult] = []
        try await doctor.run { results.append($0) }
        #expect(Set(results.map(\.name)).count == results.count)
        #expect(results.allSatisfy { ($0.severity == .ok) == ($0.remedy == nil) })
        return Dictionary(uniqueKeysWithValues: results.map { ($0.name, $0) })
    }

    private static let checks: Set = [
        "write", "fsync", "publishing", "lock", "events", "symlinks", "space", "thumbnailer",
        "clock",
    ]

    // MARK: Directories

    @Test(arguments: ["apod", "far/away/apod"])
    func aDirectoryWithoutAMirrorIsNotChanged(place: String) async throws {
        // Tests of other suites in this process may use all descriptors below 1024, which inotify needs.
        await #expect(processExitsWith: .success) { [place] in
            try await withTemporaryFolder { path in
                let results = try await Self.check("\(path)/\(place)")

                #expect(Set(results.keys) == Self.checks)
                for name in ["publishing", "events", "symlinks"] {
                    let result = try #require(results[name])
                    #expect(result.severity == .ok, "\(result)")
                }
                #expect(try Directory(opening: path).names() == [])
            }
        }
    }

    @Test func aRunningDaemonIsNotDisturbed() async throws {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { path in
                let mirror = try EmptyFileMirror(path)
                try mirror.add(0...2)
                _ = try mirror.tree.root.makeDirectory("favorites")

                let results = try await Self.check(path)

                #expect(results.values.allSatisfy { $0.severity != .problem })
                #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
                #expect(Tree.writer(in: mirror.tree.root)?.process == getpid())
            }
        }
    }

    // MARK: Results

    @Test func aFileSystemInMemoryIsANote() async throws {
        try await withTemporaryFolder(inMemory: true) { path in
            let type = Mount(of: try Directory(opening: path))?.type
            let results = try await Self.check(path)

            let isNoted = results["fsync"]?.message.hasPrefix("tmpfs is in memory") == true
            #expect(isNoted == (type == "tmpfs"))
        }
    }

    /// Each file system has its own remedy, and most have no option “uid=”.
    @Test(arguments: [
        ("ext4", false, "ext4"), ("fuse.mergerfs", false, "ext4"), ("exfat", true, "uid="),
        ("cifs", true, "uid="),
    ])
    func onlyAFileSystemWithoutOwnersIsMountedForAUser(
        type: String, takesOwner: Bool, part: String
    ) async throws {
        try await withDisk(ofType: type) { disk in
            #expect(disk.remedy(without: [.mode]).contains("uid=") == takesOwner)
            #expect(disk.remedy(without: [.mode]).contains(part))
            #expect(!disk.remedy(without: [.hardLink]).contains("uid="))
        }
    }

    @Test(arguments: [
        ("nfs4", "option “sync” on the server"), ("fuse.sshfs", "local disk"),
        ("cifs", "local disk"), ("overlay", "upper layer"),
    ])
    func aDiskThatMayLoseDataHasItsOwnRemedy(type: String, part: String) async throws {
        try await withDisk(ofType: type) { disk in
            guard case .note(_, let remedy) = disk.checkFlush() else {
                Issue.record("nothing is noted")
                return
            }
            #expect(remedy.contains(part), "\(remedy)")
        }
    }

    private func withDisk(ofType type: String, _ body: (DiskChecks) -> Void) async throws {
        try await withTemporaryFolder { path in
            let mount = try #require(Mount(line: "36 35 98:0 / /m rw - \(type) none rw"))
            body(DiskChecks(folder: try Directory(opening: path), mount: mount))
        }
    }

    @Test func exhaustedInotifyInstancesAreAProblemWithTheSettingToRaise() async throws {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { path in
                var result: CheckResult?
                // Another process of this user may close one of its instances before the check.
                for _ in 0..<100 where result?.severity != .problem {
                    // The limit of the user, 128 by default; closed when this process ends.
                    while inotify_init() >= 0 {}
                    result = try await Self.check(path)["events"]
                }

                #expect(result?.severity == .problem)
                #expect(result?.message.contains("instances of this user are in use: ") == true)
                #expect(result?.remedy?.hasPrefix("raise fs.inotify.max_user_instances") == true)
            }
        }
    }

    @Test func aDiskWithoutRoomForADownloadIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let doctor = try Doctor(
                root: path, minimumFree: .max, known: KnownMirrors(environment: [:]), feed: nil)
            var results: [String: CheckResult] = [:]
            try await doctor.run { results[$0.name] = $0 }

            #expect(results["space"]?.severity == .problem)
            #expect(results["space"]?.remedy?.contains("--min-free") == true)
        }
    }

    /// Every process that writes the mirror must open it.
    @Test func aLockThatIsNoFileIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let root = "\(path)/mirror"
            _ = try Tree.writing(root, known: KnownMirrors(environment: [:]))
            let folder = try Directory(opening: root)
            try folder.remove(Layout.lock)
            _ = try folder.makeDirectory(Layout.lock)

            let results = try await Self.check(root)
            let result = try #require(results["write"])

            #expect(result.severity == .problem)
            #expect(result.message.contains("\(root)/\(Layout.lock)"), "\(result)")
            #expect(result.remedy == "move it away and try again")
        }
    }

    @Test func aMirrorWhoseDiskIsNotMountedIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let (root, known) = ("\(path)/mirror", KnownMirrors(environment: ["HOME": path]))
            _ = try Tree.writing(root, known: known)
            removeTree("\(root)/\(Layout.own)")
            let doctor = try Doctor(root: root, known: known, feed: nil)
            var results: [String: CheckResult] = [:]
            try await doctor.run { results[$0.name] = $0 }

            #expect(results["write"]?.severity == .problem)
            let remedy = results["write"]?.remedy
            #expect(remedy?.contains("mount its disk") == true)
            #expect(remedy?.contains("mkdir -p \(root)/.apod-mirror") == true)
        }
    }
}
