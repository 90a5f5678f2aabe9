internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Checks whether the daemon of a mirror runs, by the note that it left outside of the mirror.
///
/// The journal is not needed; not every user may read it.
struct ServiceCheck {
    let note: ServiceNote
    /// The command that starts the service; `nil` if none is installed.
    let startCommand: String?
    /// The mirror at the path in the note; `nil` if it cannot be opened.
    let tree: Tree?

    /// - Throws: ``SystemError`` if the daemon has failed, and the mirror cannot be read, so that nobody knows whether NASA was
    ///   reached since.
    func run() throws(SystemError) -> CheckResult.Outcome {
        let start = startCommand.map { "start it: \($0)" } ?? "start it again"
        let time = note.since.timestamp
        let writer = tree.flatMap { Tree.writer(in: $0.root) }
        let hasEnded = note.hasEnded(unlessItIs: writer)
        if let writer, writer.role == .daemon, hasEnded || note.waits {
            // The note is that of an earlier daemon, because the one that has the mirror now could not write its own.
            return .ok(writer.text.map { "\($0) runs" } ?? "runs")
        }
        switch note.state {
        case .failed:
            guard let reason = note.failure(unlessFollowedBySuccessAt: try timeOfLastSuccess())
            else {
                return .note("failed at \(time), and NASA was reached since", remedy: start)
            }
            return .problem("failed at \(time): \(reason)", remedy: "correct that, then \(start)")
        case .stopped:
            return .note("was stopped at \(time)", remedy: start)
        case .waiting where hasEnded, .running where hasEnded:
            return .problem(
                "ended without a word after \(time): it was killed, or the machine lost power",
                remedy: start)
        case .waiting(let reason):
            return .note(
                "waits for NASA's first answer, and creates the mirror then: \(reason)",
                remedy: "none, if NASA or the network fails: it asks again")
        case .running where hasLostMirror:
            return .problem(
                "the mirror was exchanged while process \(note.process) used it, as by a restore",
                remedy: "start that process again, such as by “sudo systemctl restart apod-mirror”")
        case .running(let obstacle?, _):
            return .problem(obstacle.summary, remedy: "“apod-mirror status” has the rest")
        case .running(nil, _):
            return .ok("process \(note.process) runs since \(time)")
        }
    }

    private var hasLostMirror: Bool {
        if let tree { note.hasLostMirror(at: tree) } else { false }
    }

    /// When NASA was last reached; `nil` if that is not known.
    private func timeOfLastSuccess() throws(SystemError) -> Date? {
        guard let tree else { return nil }
        return try Store(reading: tree).state().lastSuccess
    }
}
