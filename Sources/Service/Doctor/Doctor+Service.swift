internal import FoundationEssentials
internal import Mirror

/// The check of the daemon, by what it left outside of the mirror: no journal is needed, which a user may not read.
extension Doctor {
    /// Checks whether the daemon of the mirror runs, and why it does not.
    ///
    /// - Returns: `nil` if there never was one, and none is installed that is to create the mirror.
    func checkService() -> Outcome? {
        let start = startCommand.map { "start it: \($0)" } ?? "start it again"
        guard let service else {
            guard case .absent = mirror, startCommand != nil else { return nil }
            return .note("was never started; it will keep its mirror in \(root)", remedy: start)
        }
        let time = service.since.timestamp
        switch service.state {
        case .failed:
            guard let reason = service.failure(before: lastSuccess) else {
                return .note("failed at \(time), and NASA was reached since", remedy: start)
            }
            return .problem("failed at \(time): \(reason)", remedy: "correct that, then \(start)")
        case .stopped:
            return .note("was stopped at \(time)", remedy: start)
        case .waiting, .running:
            guard service.isAlive else {
                return .problem(
                    "ended without a word after \(time): it was killed, or the machine lost power",
                    remedy: start)
            }
        }
        if case .waiting(let reason) = service.state {
            return .note(
                "waits for NASA's first answer, and creates the mirror then: \(reason)",
                remedy: "none, if NASA or the network fails: it asks again")
        }
        if let obstacle = service.obstacle {
            return .problem(obstacle.summary, remedy: "“apod-mirror status” has the rest")
        }
        return .ok("process \(service.process) runs since \(time)")
    }

    /// When NASA was last reached; `nil` if that is not known.
    private var lastSuccess: Date? {
        guard case .present(let tree) = mirror else { return nil }
        return (try? Store(reading: tree).state())?.lastSuccess
    }
}
