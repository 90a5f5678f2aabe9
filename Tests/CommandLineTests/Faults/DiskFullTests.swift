import APOD
import Glibc
import JSON
import Mirror
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// A full disk is reported once and loses nothing, and the next run continues.
    @Suite(.timeLimit(.minutes(10))) struct DiskFullTests {
        /// Whether this user may mount a file system; see unshare(1).
        static let mayMount = unsafe system("unshare -Urm true 2>/dev/null") == 0

        /// Runs in a file system of `kilobytes`, which is enlarged later.
        @Test(.enabled(if: mayMount), arguments: [1, 16, 48, 72])
        func aFullDiskEndsTheRunWithoutDamage(kilobytes: Int) async throws {
            try await withSite(size: (96, 64)) { site in
                let folder = site.folder
                let ending = try await runs(of: site, onDisk: "\(kilobytes)k") { run in
                    """
                    \(run); echo $?
                    cp -a \(site.root) \(folder)/full
                    mount -o remount,size=64m none \(site.root)
                    \(run); echo $?
                    cp -a \(site.root) \(folder)/whole
                    """
                }

                #expect(ending.output == "6\n0\n", "\(ending)")
                #expect(ending.sentences.count == 1)
                #expect(ending.errors.contains("free disk space"), "\(ending)")
                let (full, whole) = (
                    try site.tree("\(folder)/full"), try site.tree("\(folder)/whole")
                )
                #expect(full.damage == [] && full.incoming == [])
                #expect(full.strangers(to: whole) == [])
                #expect(whole.complete.count == 10 && whole.damage == [])
            }
        }

        /// A read-only file system, and one without a free inode.
        @Test(
            .enabled(if: mayMount),
            arguments: [
                ("ro", "4\n4\n0\n", "remount"),
                ("nr_inodes=USED", "6\nremoved: mine\n0\n1\n", "free disk space"),
            ])
        func favoritesOnAFullDiskReportTheRemedy(
            options: String, output: String, advice: String
        ) async throws {
            try await withSite { site in
                #expect(try await site.mirror().code == 0)
                let (root, copy) = (site.root, "\(site.folder)/copy")
                let favorites = "\(Program.path) favorites --root \(copy)"
                let program = try Program(
                    [
                        "unshare", "-Urm", "sh", "-c",
                        """
                        mkdir \(copy) && mount -t tmpfs none \(copy) && cp -a \(root)/. \(copy)/ || exit 99
                        ln -s ../latest.jpg \(copy)/favorites/mine
                        used=$(df --output=iused \(copy) | tail -n 1)
                        mount -o remount,$(echo \(options) | sed "s/USED/$((used))/") none \(copy) || exit 98
                        \(favorites) add \(Site.day(1)); echo $?
                        \(favorites) remove mine; echo $?
                        test -L \(copy)/favorites/mine; echo $?
                        """,
                    ], environment: ["HOME": site.home])
                let ending = try await program.end()

                #expect(ending.output == output, "\(ending)")
                #expect(ending.sentences.count >= 2)
                #expect(ending.sentences.allSatisfy { $0.contains(advice) }, "\(ending)")
            }
        }

        /// Beside the free space, “free disk space” alone would be a riddle.
        @Test(.enabled(if: mayMount)) func doctorNamesTheLackOfInodes() async throws {
            try await withSite { site in
                let copy = "\(site.folder)/copy"
                let program = try Program(
                    [
                        "unshare", "-Urm", "sh", "-c",
                        """
                        mkdir -p \(copy) && mount -t tmpfs -o nr_inodes=2 none \(copy) && touch \(copy)/last || exit 99
                        \(Program.path) doctor --offline --root \(copy)
                        """,
                    ], environment: ["HOME": site.home])
                let ending = try await program.end()

                #expect(ending.code != 99)
                let lines = ending.output.split(separator: "\n")
                let index = try #require(lines.firstIndex { $0.contains(" write ") })
                #expect(lines[index].contains("No space left on device"), "\(ending)")
                #expect(lines[index + 1].contains("df -i"), "\(ending)")
            }
        }

        /// The checks `fsync`, `publishing` and `lock` would say the same.
        @Test(.enabled(if: mayMount)) func doctorSaysThatTheDiskIsFullAndNothingElse() async throws
        {
            try await withMirroredSite(days: 1) { site in
                let copy = "\(site.folder)/copy"
                let ending = try await Program(
                    [
                        "unshare", "-Urm", "sh", "-c",
                        """
                        mkdir \(copy) && mount -t tmpfs -o size=64m none \(copy) && cp -a \(site.root)/. \(copy)/ || exit 99
                        dd if=/dev/zero of=\(copy)/fill bs=4k 2>/dev/null
                        \(Program.path) doctor --offline --root \(copy)
                        """,
                    ], environment: ["HOME": site.home]
                ).end()

                #expect(ending.code == 1, "\(ending)")
                let names = ending.output.split(separator: "\n").filter { $0.hasPrefix("problem") }
                    .map { $0.split(separator: " ", omittingEmptySubsequences: true)[1] }
                #expect(names == ["write", "space"], "\(ending)")
            }
        }

        /// Five videos of 3 MiB at once on 16 MiB, of which 6 stay free: three of them fit.
        ///
        /// Each would fit at the start of its download. With and without a Content-Length.
        @Test(.enabled(if: mayMount), arguments: [false, true])
        func minFreeIsKeptFreeBesideAllDownloads(isLengthUnknown: Bool) async throws {
            try await withSite { site in
                let size = 3 << 20
                let film =
                    [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0]
                    + [0, 0, 0, 8] + Array("moov".utf8)
                    + (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }
                    + Array("free".utf8) + [UInt8](repeating: 7, count: size - 8)
                for day in (0..<5).map({ Site.today.advanced(by: -$0) }) {
                    let file = SimulatedPicture(name: "\(day).mp4", source: .bytes(film))
                    site.simulator.publish(
                        SimulatedEntry(
                            day: day, title: "Large", explanationHTML: "Large.",
                            media: .videoFile(file, poster: nil)))
                    let fault: Fault =
                        isLengthUnknown
                        ? .hugeBody(bytes: film.count, of: film) : .slow(bytesPerSecond: 8 << 20)
                    site.simulator.inject(fault, on: .mediaOf(day), times: nil)
                }
                let options = [
                    "--since", "5d", "--videos", "--jobs", "5", "--min-free", "6MiB",
                ]
                let ending = try await runs(of: site, onDisk: "16m", options) { run in
                    """
                    \(run); echo $?
                    df --output=avail -B 1M \(site.root) | tail -n 1
                    cp -a \(site.root) \(site.folder)/copy
                    """
                }

                let numbers = ending.output.split(whereSeparator: \.isWhitespace).map { Int($0) }
                let tree = try site.tree("\(site.folder)/copy")
                #expect(numbers.first == 3 && numbers.last.flatMap(\.self) ?? 0 >= 6, "\(ending)")
                let videos = tree.records.values.count { $0["video"]?["path"] != nil }
                #expect(videos == 3, "\(ending)")
                #expect(tree.damage == [] && tree.incoming == [])
            }
        }

        /// The disk becomes full or read-only, and the exit code shows the reason.
        @Test(
            .enabled(if: FaultShim.isPossible),
            arguments: [(ENOSPC, 6), (EDQUOT, 6), (EROFS, 4)] as [(Int32, Int32)])
        func everyDiskErrorHasItsExitCode(error: Int32, code: Int32) async throws {
            try await withSite(days: 2) { site in
                let shim = try await FaultShim(for: site)
                func run(_ root: String, _ variables: [String: String]) async throws -> Ending {
                    let words = ["run", "--once"] + site.settings(root: "\(site.folder)/\(root)")
                    return try await site.start(
                        words + ["--since", "2d", "--jobs", "1", "--thumbnails", "no"],
                        environment: variables
                    ).end()
                }
                _ = try await run("calm", shim.variables(.noSpace, at: -1))
                let calls = shim.calls.count

                for number in [1, calls / 2] {
                    let ending = try await run(
                        "trial\(number)", shim.variables(code: error, from: number))
                    #expect(ending.code == code, "call \(number) of \(calls): \(ending)")
                    #expect(ending.sentences.count == 1, "\(ending)")
                }
            }
        }

        /// More space would not help against the worse obstacle.
        @Test(.enabled(if: FaultShim.isPossible))
        func aLackOfSpaceDoesNotHideThatTheDiskIsReadOnly() async throws {
            try await withMirroredSite(days: 1) { site in
                let shim = try await FaultShim(for: site)
                let gate = "\(site.folder)/disk-takes-no-writes"
                let daemon = try site.start(
                    ["run"] + site.settings() + ["--thumbnails", "no", "--min-free", "900000TiB"],
                    environment: shim.creations(in: "\(site.root)/", code: EROFS, while: gate))
                func obstructed(_ code: Int32) async throws -> Ending {
                    try await polled {
                        let status = try await site.read("status")
                        return status.code == code ? status : nil
                    }
                }
                _ = try await obstructed(6)
                try site.write("", to: "disk-takes-no-writes")

                daemon.signal(SIGHUP)
                let readOnly = try await obstructed(4)
                _ = try await site.shell("rm '\(gate)'")
                daemon.signal(SIGHUP)
                let full = try await obstructed(6)
                _ = try await daemon.stop()

                #expect(readOnly.output.contains("\nobstacle    disk, "), "\(readOnly)")
                #expect(full.output.contains("\nobstacle    space, "), "\(full)")
            }
        }

        /// A used up quota, and a disk that the kernel has made read-only after an error: it seems to have space and all rights.
        ///
        /// All days are complete, so that no sync needs to write.
        @Test(
            .enabled(if: FaultShim.isPossible),
            arguments: [
                (EDQUOT, 6, Obstacle.Kind.space, "raise the quota"),
                (EROFS, 4, .disk, "remount it writable"),
            ], [true, false])
        func aDiskThatTakesNoWritesIsSaidAtAReloadAndWhenAFavoriteIsNotRecorded(
            disk: (error: Int32, code: Int32, kind: Obstacle.Kind, remedy: String), isReload: Bool
        ) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                let gate = "\(site.folder)/disk-takes-no-writes"
                let socket = try NotifySocket("@\(site.folder)")
                let daemon = try site.start(
                    ["run"] + site.settings() + ["--thumbnails", "no"],
                    environment: shim.creations(in: "\(site.root)/", code: disk.error, while: gate)
                        .merging(["NOTIFY_SOCKET": socket.address]) { $1 })
                try await socket.wait(for: "READY=1")
                // The first sync has ended.
                _ = try await polled {
                    try await site.read("status", "--json").json["next_sync"]?.string
                }
                try site.write("", to: "disk-takes-no-writes")

                if isReload {
                    daemon.signal(SIGHUP)
                } else {
                    _ = try await site.shell("ln -s ../latest.jpg '\(site.root)/favorites/one.jpg'")
                }
                let status = try await polled {
                    let status = try await site.read("status", "--json")
                    return status.code == 0 ? nil : status
                }
                let obstructed = try await polled {
                    let status = try await site.read("status")
                    return status.code == disk.code ? status : nil
                }
                let lines = obstructed.output.split(separator: "\n")
                let obstacle = lines.first { $0.hasPrefix("obstacle    \(disk.kind), ") }
                #expect(obstacle?.contains(disk.remedy) == true, "\(obstructed)")
                if !isReload {
                    let text = "cannot record all favorites: open \(site.root)"
                    #expect(status.output.contains(text), "\(status)")
                    #expect(
                        lines.contains { $0.hasPrefix("unwritten   ") && $0.contains(text) },
                        "\(obstructed)")
                }

                _ = unsafe unlink(gate)
                daemon.signal(SIGHUP)
                _ = try await polled {
                    try await site.read("status").code == 0 ? true : nil
                }
                let favorites = try await site.read("favorites")
                #expect(!favorites.output.contains("(new)"), "\(favorites)")
                _ = try await daemon.stop()
            }
        }

        /// What is left takes state files and records, but no picture.
        @Test(.enabled(if: FaultShim.isPossible))
        func aQuotaWithoutSpaceForAPictureCountsAsAFullDisk() async throws {
            try await withSite(days: 2, size: (900, 600)) { site in
                let shim = try await FaultShim(for: site)
                let quota = shim.quota(Store.spaceForRecords)

                let ending = try await site.mirror("--since", "2d", environment: quota)
                let doctor = try await site.start(
                    ["doctor", "--offline", "--root", site.root], environment: quota
                ).end()
                let later = try await site.mirror("--since", "2d")

                #expect(ending.code == 6 && ending.errors.contains("raise the quota"), "\(ending)")
                #expect(doctor.code == 1, "\(doctor)")
                #expect(doctor.output.contains("problem  write"), "\(doctor)")
                #expect(doctor.output.contains("raise the quota"), "\(doctor)")
                #expect(later.code == 0, "\(later)")
                #expect(try site.tree().complete.count == 2)
            }
        }

        /// Runs a script, which gets the command of a sync, with the root on a file system of `size`.
        private func runs(
            of site: Site, onDisk size: String, _ options: [String] = [],
            _ script: (_ run: String) -> String
        ) async throws -> Ending {
            let run = [Program.path, "run", "--once", "-q"] + site.settings() + options
            // The source is "none", else mount(8) repeats the owner, who has another ID there.
            let program = try Program(
                [
                    "unshare", "-Urm", "sh", "-c",
                    """
                    mkdir \(site.root) && mount -t tmpfs -o size=\(size) none \(site.root) || exit 99
                    \(script(run.joined(separator: " ")))
                    """,
                ], environment: ["HOME": site.home])
            return try await program.end()
        }
    }
}
