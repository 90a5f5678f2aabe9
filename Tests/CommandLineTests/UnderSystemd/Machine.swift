import Glibc
import Platform
import TestSupport

/// A machine with a systemd of its own, on an overlay of this machine's root.
///
/// Its changes are in memory and are lost at its end; it shares the network of this machine.
final class Machine: Sendable {
    /// The Debian package that is tested, where there is one: `make test-machine` builds it.
    static let package = processEnvironment()["APOD_MIRROR_PACKAGE"]
    /// Where the package is in the machine.
    static let packageInside = "/opt/apod-mirror.deb"
    /// The folder of the Makefile, and where that is in the machine.
    static let source =
        sourceTree
    static let sourceInside = "/opt/source"

    /// It hung at its start.
    struct Silence: Error {
        let ending: Ending
    }

    private let nspawn: Program
    /// The process ID of its init, as seen by systemd-nspawn.
    private let leader: String

    private init(_ nspawn: Program, leader: String) {
        self.nspawn = nspawn
        self.leader = leader
    }

    /// Starts it up to the basic services.
    ///
    /// - Parameter folder: Where a socket may be put.
    /// - Returns: The machine, up.
    /// - Throws: The error that prevented its start.
    static func boot(in folder: String) async throws -> Machine {
        let socket = try NotifySocket("\(folder)/notify")
        defer { withExtendedLifetime(socket) {} }
        let options = [
            "--notify-ready=yes", "--bind-ro=\(package ?? ""):\(packageInside)",
            "--bind-ro=\(source):\(sourceInside)",
        ]
        let nspawn = try Program(
            [script] + options + ["--boot", "systemd.unit=basic.target"],
            environment: ["NOTIFY_SOCKET": socket.address])
        let isUp = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await socket.wait(for: "READY=1")
                return true
            }
            group.addTask {
                try await LoopClock().sleep(for: .hang)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        guard isUp else {
            nspawn.signal(SIGKILL)
            throw Silence(ending: try await nspawn.end())
        }
        let leader = socket.messages.joined(separator: "\n").split(separator: leaderPrefix).last?
            .prefix(while: \.isNumber)
        return Machine(nspawn, leader: String(leader ?? ""))
    }

    private static let leaderPrefix = "X_NSPAWN_LEADER_PID="
    private static let script = "\(source)/Tests/machine"

    /// Runs a shell script in it as root.
    @discardableResult func run(_ lines: String) async throws -> Ending {
        try await start(lines).end()
    }

    /// Runs the lines, and returns what they print without the last line feed.
    func read(_ lines: String) async throws -> String {
        var text = try await run(lines).output
        while text.last == "\n" { text.removeLast() }
        return text
    }

    /// Starts a shell script without waiting for its end.
    func start(_ lines: String) throws -> Program {
        // Its numbers are those of the name space that Tests/machine makes.
        let spaces = "/proc/\(nspawn.pid)/ns"
        let there = ["nsenter", "--mount=\(spaces)/mnt", "--pid=\(spaces)/pid_for_children"]
        return try Program(
            there + ["nsenter", "--all", "--target", leader, "sh", "-c", lines],
            environment: [
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
                "DEBIAN_FRONTEND": "noninteractive",
            ])
    }

    /// The contents of the directory at `path` in it.
    func tree(_ path: String) throws -> TreeImage {
        try TreeImage(of: "/proc/\(nspawn.pid)/root/proc/\(leader)/root\(path)")
    }

    /// Kills it, and waits for its end.
    func halt() async throws {
        nspawn.signal(SIGKILL)
        _ = try await nspawn.end()
    }
}
