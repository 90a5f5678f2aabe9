import Glibc
import JSON
import Mirror
import Platform
import TestSupport

/// A headless browser controlled through two pipes; it ends with the last reference.
///
/// See the DevTools protocol, and `--remote-debugging-pipe` in Chromium's source: it reads commands from
/// descriptor 3 and writes responses and events to 4, each terminated by a zero.
final class Chromium: Sendable {
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var calls: [Int: CheckedContinuation<JSON, any Error>] = [:]
        var next = 1
        var events: [JSON] = []
        var isOver = false
    }

    private let process: pid_t
    private let commands: FileDescriptor
    private let state = Monitor(State())

    /// `nil` if it is not installed, or if “make test” runs, which needs no browser.
    static let path: String? = {
        let variables = processEnvironment()
        guard variables["APOD_MIRROR_BROWSER"] != nil else { return nil }
        let folders = (variables["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/chromium" }.first { unsafe access($0, X_OK) == 0 }
    }()

    /// Starts a browser that writes to the directory `home` only.
    init(home: String) throws {
        let (input, output) = (try Pipe(), try Pipe())
        process = try spawnChromium(home: home, input: input.reader, output: output.writer)
        commands = FileDescriptor(owning: input.writer)
        close(input.reader)
        close(output.writer)
        let answers = output.reader
        startThread("chromium") { [state] in Self.read(answers, state) }
    }

    deinit {
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// The parameters of all events `method` of the page `session` so far.
    func events(_ method: String, session: String) -> [JSON] {
        state.withLock { $0.events }
            .filter { $0["method"]?.string == method && $0["sessionId"]?.string == session }
            .compactMap { $0["params"] }
    }

    /// Sends a command and waits for the response.
    @discardableResult
    func call(
        _ method: String, _ parameters: JSON = [:], session: String? = nil
    ) async throws -> JSON {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let number: Int? = state.withLock { state in
                    guard !state.isOver else { return nil }
                    defer { state.next += 1 }
                    state.calls[state.next] = continuation
                    return state.next
                }
                guard let number else {
                    return continuation.resume(throwing: Refusal(description: "it has ended"))
                }
                let message: JSON = [
                    "id": .integer(number), "method": .string(method), "params": parameters,
                    "sessionId": session.map(JSON.string),
                ]
                try? commands.write(Array(message.line.utf8) + [0], path: "chromium")
            }
        } onCancel: {
            kill(-process, SIGKILL)
        }
    }

    // MARK: What it says

    private static func read(_ descriptor: CInt, _ state: Monitor<State>) {
        let file = FileDescriptor(owning: descriptor)
        var (unread, buffer): ([UInt8], [UInt8]) = ([], .init(repeating: 0, count: 1 << 20))
        while true {
            let count = unsafe Glibc.read(file.rawValue, &buffer, buffer.count)
            guard count > 0 else { break }
            unread += buffer[..<count]
            guard let end = unread.lastIndex(of: 0) else { continue }
            for message in unread[..<end].split(separator: 0) {
                if let json = try? JSON(parsing: Array(message)) { take(json, state) }
            }
            unread.removeFirst(end + 1)
        }
        let waiting = state.withLock { state in
            defer { state.calls = [:] }
            state.isOver = true
            return state.calls.values.map(\.self)
        }
        for call in waiting { call.resume(throwing: Refusal(description: "the browser ended")) }
    }

    private static func take(_ message: JSON, _ state: Monitor<State>) {
        guard let number = message["id"]?.integer else {
            return state.withLock { $0.events.append(message) }
        }
        let call = state.withLock { $0.calls.removeValue(forKey: number) }
        if let error = message["error"] {
            call?.resume(throwing: Refusal(description: error.line))
        } else {
            call?.resume(returning: message["result"] ?? [:])
        }
    }
}

/// A pipe that no other program inherits.
struct Pipe {
    let reader: CInt
    let writer: CInt

    init() throws(SystemError) {
        var ends: [CInt] = [0, 0]
        try retryingInterrupts("socketpair", path: "chromium") {
            unsafe socketpair(
                AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        }
        (reader, writer) = (ends[0], ends[1])
    }
}

/// Starts the browser in its own process group.
private func spawnChromium(home: String, input: CInt, output: CInt) throws -> pid_t {
    guard let path = Chromium.path else {
        throw SystemError("open", path: "chromium", code: ENOENT)
    }
    // Its standard streams become the descriptors that the option names.
    let script = "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null"
    let words = [
        path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--disable-extensions", "--disable-background-networking",
        // A key scrolls at once.
        "--disable-smooth-scrolling",
        "--remote-debugging-pipe", "--user-data-dir=\(home)/profile", "about:blank",
    ]
    return try spawn(
        ["/bin/sh", "-c", script, "sh"] + words,
        environment: ["HOME=\(home)", "PATH=/usr/bin:/bin", "TMPDIR=\(home)", "LANG=C.UTF-8"],
        (input, output, nil), isLeader: true)
}
