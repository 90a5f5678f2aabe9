import Glibc
import JSON
import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// Machines that preload a library into each program, or whose disk locks no files.
    @Suite(.enabled(if: FaultShim.isPossible), .timeLimit(.minutes(10))) struct SurroundingsTests {
        /// Runs a program with the library `Shims/surroundings.c`.
        private func run(
            _ words: [String], _ environment: [String: String] = [:]
        ) async throws -> Ending {
            let library = try await PreloadedLibrary.surroundings.value
            return try await Program.run(
                words, environment: environment.merging(["LD_PRELOAD": library]) { $1 })
        }

        @Test func eachProgramGetsItsArgumentsWhereALibraryChangesTheEnvironment() async throws {
            for program in [Program.path, Program.simulator] {
                let ending = try await run([program, "version"])

                #expect(ending.code == 0, "\(ending)")
                #expect(ending.output.contains(Version.current), "\(ending)")
            }
            let thumbnailer = try await run(
                ["\(Program.path)-thumbnailer", "320000000", "30", "3000000"])
            #expect(!thumbnailer.errors.contains("internal program"), "\(thumbnailer)")
        }

        /// Only a program with a static Swift library, as releases have it, loses them, and tests have none.
        @Test func noProgramAsksTheSwiftLibraryForItsArguments() async throws {
            let ending = try await Program.run(
                ["grep", "-rl", "--include=*.swift", "CommandLine\\.arguments"]
                    + ["\(sourceTree)/Sources", "\(sourceTree)/Tests/Simulator"])

            #expect(ending.code == 1 && ending.output == "", "\(ending)")
        }

        @Test(arguments: [Program.path, Program.simulator])
        func aServiceWithoutArgumentsFails(program: String) async throws {
            try await withTemporaryFolder { folder in
                let ending = try await run(
                    [program], ["NOTIFY_SOCKET": "\(folder)/notify", "HOME": folder])

                #expect(ending.code == 2 && ending.output == "", "\(ending)")
                #expect(ending.errors.contains("a service needs a command"), "\(ending)")
            }
        }

        /// Container runtimes that are older than these calls: openat2(2), syncfs(2).
        @Test(arguments: [EPERM, ENOSYS]) func aFilterThatBlocksCallsPreventsNothing(
            code: Int32
        ) async throws {
            try await withSite { site in
                let shim = try await FaultShim(for: site)

                let ending = try await site.mirror(
                    "--on-new", "sleep 0.1; touch '\(site.folder)/told'", thumbnails: true,
                    environment: shim.blocked(code))

                #expect(ending.code == 0, "\(ending)")
                #expect(ending.errors.contains("--on-new: done"), "\(ending)")
                #expect(try Directory(opening: site.folder).status("told") != nil)
                #expect(try site.tree().complete.count == 10)
                #expect(try Directory(opening: site.root).status("index.html") != nil)
            }
        }

        @Test(arguments: [ENOLCK, EOPNOTSUPP])
        func aDiskThatLocksNoFilesIsNamedByRunAndDoctor(code: Int32) async throws {
            try await withSite(days: 1) { site in
                let environment = ["HOME": site.home, "NO_LOCKS": "\(code)"]
                let sync = try await run(
                    [Program.path, "run", "--once"] + site.settings(), environment)
                _ = try await site.mirror()
                let doctor = try await run(
                    [Program.path, "doctor", "--offline", "--json", "--root", site.root],
                    environment)

                #expect(sync.code == 1 && sync.sentences.count == 1, "\(sync)")
                #expect(sync.errors.contains("its file system locks no files"), "\(sync)")
                let checks = try doctor.json["checks"]?.elements ?? []
                let check = checks.first { $0["name"]?.string == "lock" }
                #expect(doctor.code == 1 && check?["result"]?.string == "problem", "\(doctor)")
                #expect(check?["remedy"]?.string?.contains("lock service") == true, "\(doctor)")
            }
        }
    }
}
