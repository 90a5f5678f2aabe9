import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// No command hangs on a foreign item in place of a file of the mirror.
    @Suite(.timeLimit(.minutes(10))) struct OddFileTests {
        enum Thing: String, CaseIterable {
            case fifo, directory, link

            func make(at path: String) {
                _ = unsafe unlink(path)
                switch self {
                case .fifo: _ = unsafe mkfifo(path, 0o644)
                case .directory: _ = unsafe mkdir(path, 0o755)
                case .link: _ = unsafe symlink("/dev/zero", path)
                }
            }
        }

        private static let files = [
            "lock", "lock-holder", "mirror.json", "state.json", "service.json", "requests",
            "favorites",
            "views/gallery.json",
        ].map { "\(Layout.own)/\($0)" }

        @Test(arguments: Thing.allCases) func noCommandHangs(thing: Thing) async throws {
            try await withSite(days: 1) { site in
                _ = try await site.mirror()
                try site.copy("apod", to: "before")
                for file in Self.files + [Layout.recordPath(of: Site.today)] {
                    try site.copy("before", to: "apod")
                    #expect(try await site.shell("rm -rf \"$APOD_MIRROR_ROOT/\(file)\"").code == 0)
                    thing.make(at: "\(site.root)/\(file)")

                    for words in [["status"], ["search", "a"], ["favorites", "add", "latest"]] {
                        let ending = try await site.read(words)
                        #expect(ending.code != nil, "\(words) \(ending)")
                    }
                    let ending = try await site.mirror()
                    #expect(ending.code != nil, "\(file): \(ending)")
                }
            }
        }

        /// ext4 stores years up to 2446, a file system in memory any.
        @Test(arguments: [Int.max, Int.min])
        func anyModificationTimeIsAccepted(seconds: Int) async throws {
            try await withSite(days: 2, inMemory: true) { site in
                let first = try await site.mirror()
                let settings = [
                    "cp \"$APOD_MIRROR_ROOT\"/pictures/*/*/*.jpg \"$APOD_MIRROR_ROOT/favorites\"",
                    "echo note >\"$APOD_MIRROR_ROOT/favorites/note.txt\"",
                    "mkdir -p \"$APOD_MIRROR_ROOT/favorites/folder\"",
                ]
                _ = try await site.shell(settings.joined(separator: "; "))
                for path in try site.tree().files.keys + ["", "favorites", "favorites/folder"] {
                    let times = [timespec](
                        repeating: timespec(tv_sec: seconds, tv_nsec: 999), count: 2)
                    let code = unsafe utimensat(
                        AT_FDCWD, "\(site.root)/\(path)", times, AT_SYMLINK_NOFOLLOW)
                    #expect(code == 0, "\(path)")
                }

                for words in [
                    ["status"], ["doctor", "--offline"], ["favorites", "list"], ["verify"],
                    ["favorites", "add", "latest"],
                ] {
                    let ending = try await site.read(words)
                    #expect(ending.code != nil, "\(words) \(ending)")
                }
                #expect(try await site.mirror().code == first.code)
                let repair = try await site.start(
                    ["verify", "--repair"] + site.settings()
                ).end()
                #expect(repair.code == 0, "\(repair)")
            }
        }
    }
}
