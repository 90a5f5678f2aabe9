import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// Thunar of Debian 12 drops an item from an open window when a file of another folder takes its name.
    @Suite(.timeLimit(.minutes(10))) struct ReplacementTests {
        @Test func whatReplacesAVisibleItemComesFromAHiddenNameBesideIt() async throws {
            try await withSite(days: 3) { site in
                try await prepare(site)
                let picture = Layout.split(try site.picture(of: Site.today))
                let folders = ["", "favorites", picture.folder].map { "\(site.root)/\($0)" }
                let before = try folders.map { try Directory(opening: $0).textNames() }
                let windows = try OpenWindows(on: folders)

                #expect(try await site.mirror("--since", "3d").code == 0)

                let moves = windows.moves()
                var replaced: Set<String> = []
                for move in moves where move.isArrival {
                    guard before[move.window].contains(move.name) else { continue }
                    replaced.insert(move.name)
                    let departure = moves.first { !$0.isArrival && $0.cookie == move.cookie }
                    #expect(departure?.window == move.window, "\(move.name)")
                    #expect(departure?.name.hasPrefix(".") == true, "\(move.name)")
                }
                #expect(
                    replaced.isSuperset(of: [
                        "index.html", "feed.xml", "latest.json", picture.name, "mine",
                    ]), "\(replaced)")
            }
        }

        @Test(.enabled(if: FaultShim.isPossible, "needs a C compiler"))
        func aKillBeforeTheFinalNameIsHealedByTheNextRun() async throws {
            try await withSite(days: 3, inMemory: true) { site in
                try await prepare(site)
                try site.copy("apod", to: "before")
                let shim = try await FaultShim(for: site)
                let root = "\(site.folder)/trial"
                func sync(_ environment: [String: String] = [:]) async throws -> Ending {
                    try site.copy("before", to: "trial")
                    return try await site.mirror(
                        "--since", "3d", root: root, environment: environment)
                }
                #expect(try await sync().code == 0)
                let whole = try site.tree(root)

                var tops: Set<String> = []
                for number in 1... {
                    let variables = shim.kill(atRename: number, of: "\(Layout.own) ")
                    guard try await sync(variables).signal == SIGKILL else { break }
                    let waiting = try site.tree(root).waiting
                    let path = try #require(waiting.first)
                    tops.insert(path.contains("/") ? String(path.prefix { $0 != "/" }) : "")
                    site.simulator.resetLog()

                    let ending = try await site.mirror("--since", "3d", root: root)

                    #expect(ending.code == 0, "\(path): \(ending)")
                    let tree = try site.tree(root)
                    #expect(tree.waiting == [], "\(path)")
                    #expect(tree.differences(from: whole) == [], "\(path)")
                    #expect(tree.damage == [] && tree.incoming == [], "\(path)")
                    // A picture that was about to get its name is complete.
                    let isDownloaded = site.simulator.requests.contains { $0.kind == .media }
                    #expect(!isDownloaded || !path.hasPrefix(Layout.pictures), "\(path)")
                }
                #expect(tops.isSuperset(of: ["", "pictures", "favorites"]), "\(tops)")
            }
        }

        /// As btrfs does where the second rename(2) is on the disk without the removal of the hidden name.
        @Test func aSecondNameThatAPowerCutLeavesIsRemovedByTheNextRun() async throws {
            try await withSite(days: 3) { site in
                try await prepare(site)
                let before = try site.tree()
                #expect(try await site.mirror("--since", "3d").code == 0)
                let after = try site.tree()
                let replaced = ["index.html", "feed.xml", "latest.json", "gallery/"].flatMap {
                    view in
                    after.differences(from: before).filter {
                        $0.hasPrefix(view) && before.files[$0] != nil
                    }
                }
                #expect(replaced.count >= 4, "\(replaced)")
                for path in replaced {
                    let waiting = String(
                        decoding: Directory.waitingPath(for: path), as: UTF8.self)
                    try #require(
                        unsafe link("\(site.root)/\(path)", "\(site.root)/\(waiting)") == 0)
                }
                #expect(try site.tree().waiting.count == replaced.count)

                #expect(try await site.mirror("--since", "3d").code == 0)

                let tree = try site.tree()
                #expect(tree.waiting == [] && tree.differences(from: after) == [])
            }
        }

        /// A mirror whose next run replaces its views, the picture of today, and a link to `latest.jpg`.
        private func prepare(_ site: Site) async throws {
            #expect(try await site.mirror("--since", "3d").code == 0)
            try site.simulator.edit(Site.today) {
                $0.title += " II"
                $0.media = .drawn("b.jpeg", seed: 7, width: 64, height: 40, format: .jpeg)
            }
            try Directory(opening: site.root).makeDirectory(Layout.favorites)
                .symlink("mine", to: "../\(Layout.latestPicture)")
        }
    }
}

/// Windows of a file manager on folders; see inotify(7).
private struct OpenWindows: ~Copyable {
    struct Move {
        let window: Int
        let name: String
        let cookie: UInt32
        let isArrival: Bool
    }

    private let file: FileDescriptor
    private let watches: [Int32]

    init(on paths: [String]) throws {
        let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        watches = try paths.map { path in
            let watch = unsafe inotify_add_watch(
                descriptor, path, UInt32(IN_MOVED_FROM | IN_MOVED_TO))
            return try #require(watch >= 0 ? watch : nil)
        }
        file = FileDescriptor(owning: descriptor)
    }

    /// The moves since the windows were opened, in their order.
    func moves() -> [Move] {
        var moves: [Move] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(file.rawValue, &buffer, buffer.count)
            guard count > 0 else { return moves }
            var event = buffer[..<count]
            while !event.isEmpty {
                let numbers = unsafe event.withUnsafeBytes { bytes in
                    (0..<4).map {
                        unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
                    }
                }
                let name = event.dropFirst(16).prefix(Int(numbers[3])).prefix { $0 != 0 }
                if let window = watches.firstIndex(of: Int32(bitPattern: numbers[0])) {
                    moves.append(
                        Move(
                            window: window, name: String(decoding: name, as: UTF8.self),
                            cookie: numbers[2], isArrival: numbers[1] & UInt32(IN_MOVED_TO) != 0))
                }
                event = event.dropFirst(16 + Int(numbers[3]))
            }
        }
    }
}
