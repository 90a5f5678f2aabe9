import APOD
import CommandLine
import Glibc
import Platform
import Simulator

/// `apod-mirror-simulator demo [DIR]`: a simulated NASA in this process and apod-mirror beside it.
///
/// It syncs, syncs again without downloads, restores a favorite, and downloads a new day despite faults.
struct DemoCommand {
    private let simulator: Simulator
    private let mirror: DemoMirror

    init(_ arguments: SimulatorArguments) throws {
        let root = try arguments.operands.first.map(Self.emptyDirectory) ?? Self.newDirectory()
        // Today's entry is published in the last step.
        simulator = try Simulator(.generated(newest: .today, days: 40))
        simulator.newest = Day.today.advanced(by: -1)
        mirror = try DemoMirror(root, of: simulator.basicAddress, arguments.environment)
    }

    /// An empty directory: generated pictures must not mix with real ones.
    private static func emptyDirectory(_ path: String) throws -> String {
        let path = resolvedPath(path)
        let names = try? Directory(opening: path).textNames()
        guard names?.isEmpty ?? true else {
            throw CommandError("\(path) is not empty; name a new or empty directory")
        }
        return path
    }

    private static func newDirectory() throws -> String {
        var template = Array("/tmp/apod-mirror-demo-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            let error = SystemError("mkdtemp", path: "/tmp", code: errno)
            throw CommandError("\(error); name a directory: apod-mirror-simulator demo DIR")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Runs all steps, or until one of `signals` arrives; apod-mirror has ended when it returns.
    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await runInterruptibly(by: signals) {
            try await show()
            return .done
        }
    }

    private func show() async throws {
        say(
            "1. NASA is simulated at \(simulator.basicAddress); apod-mirror downloads the last 30 days."
        )
        try await mirror.sync()
        say("   \(mirror.root) now contains: \(try mirror.names())")

        say("2. A second sync downloads no picture.")
        simulator.resetLog()
        try await mirror.sync()
        say("   NASA received \(counted(simulator.requests.count, "request")).")

        say("3. The daemon watches favorites/.")
        simulator.resetLog()
        try await mirror.withDaemon { try await showFavorites() }

        say("4. NASA publishes \(Day.today) while its servers fail: 503, 502, a cut connection.")
        simulator.inject(.status(503, body: nil), on: .lists)
        simulator.inject(.truncated(after: 5_000), on: .mediaOf(.today))
        simulator.inject(.status(502, body: nil), on: .mediaOf(.today))
        simulator.newest = .today
        try await mirror.sync()
        guard let picture = try mirror.picture(of: .today) else {
            throw CommandError("\(Day.today) is not in the mirror")
        }
        say("   \(picture)")
        sayWhatNext()
    }

    private func showFavorites() async throws {
        // The daemon is ready when it has sent its first request.
        try await mirror.waited("a request of the daemon") { !simulator.requests.isEmpty }
        let day = Day.today.advanced(by: -1)
        guard let picture = try mirror.picture(of: day) else {
            throw CommandError("\(day) is not in the mirror")
        }
        // The picture may be a PNG, and the day may have only a video.
        let link = "my favorite.\(picture.split(separator: ".").last ?? "")"
        let record = ".apod-mirror/favorites/\(day).json"
        say("   ln -s \("../\(picture)".shellWord) \("favorites/\(link)".shellWord)")
        try mirror.folder("favorites").symlink(link, to: "../\(picture)")
        let time = try await mirror.waited(record) { try mirror.has(record) }
        say("   recorded in \(record) after \(time) ms")

        say("   rm -r favorites")
        let favorites = try mirror.folder("favorites")
        // Also the text that explains an empty folder, if it is still there.
        for name in try favorites.textNames() { try favorites.remove(name) }
        _ = unsafe rmdir("\(mirror.root)/favorites")
        let otherTime = try await mirror.waited("favorites/\(link)") {
            try mirror.has("favorites/\(link)")
        }
        say("   the folder and the link are restored after \(otherTime) ms")
    }

    private func sayWhatNext() {
        let root = mirror.root
        say(
            """
            Next:
               \(root)/index.html    in a browser
               \(root)/pictures      in a file manager
               \(root)/favorites     drop links to pictures there
               \(mirror.command) show latest --root \(root.shellWord)
               \(mirror.command) status --root \(root.shellWord)
            Remove it: rm -r \(root.shellWord)
            """)
    }

    private func say(_ text: String) { StandardStream.output.write("\(text)\n") }
}
