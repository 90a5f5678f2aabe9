import CommandLine
import Mirror
import Platform
import Service

/// One pass, shown while it works and told of at its end: what `run --once` does.
struct SyncOnce {
    private let synchronizer: Synchronizer
    private let log: Log
    private let isQuiet: Bool

    /// Days whose trouble is told of one by one; `status` tells of all.
    private static let few = 5

    init(_ synchronizer: Synchronizer, log: Log, isQuiet: Bool) {
        self.synchronizer = synchronizer
        self.log = log
        self.isQuiet = isQuiet
    }

    func run() async -> ExitCode {
        var troubles: [String] = []
        func note(_ event: SyncEvent) {
            switch event {
            case .planned, .alive: break
            case .problem(let text): troubles.append(text)
            case .day(let outcome):
                if case .pending(let cause, let reason, _) = outcome.result, cause != .noImage {
                    troubles.append("\(outcome.day): \(reason)")
                }
            }
        }
        let events = synchronizer.sync(retry: .failed)
        if isQuiet {
            for await event in events { note(event) }
        } else {
            await ProgressDisplay(.error, traffic: synchronizer.traffic).show(events, each: note)
        }
        let summary = await events.summary()
        tell(summary, troubles)
        guard !Task.isCancelled else {
            log.error("apod-mirror: interrupted; run it again to continue")
            return .missing
        }
        if let sentence = summary.sentence { log.error("apod-mirror: \(sentence)") }
        return summary.exitCode
    }

    private func tell(_ summary: SyncSummary, _ troubles: [String]) {
        let troubles = troubles.filter { $0 != summary.obstacle?.reason }
        for trouble in troubles.prefix(Self.few) { log.warning(trouble) }
        if troubles.count > Self.few { log.warning("and \(troubles.count - Self.few) more") }
        guard summary.newest != nil else { return }
        log.info(
            "\(summary.complete) of \(counted(summary.wanted, "day")) complete; downloaded: \(summary.downloaded)"
                + " (\(ByteCount(summary.bytes))), edited: \(summary.edited)"
                + (summary.withoutPicture > 0
                    ? ", without a picture at NASA: \(summary.withoutPicture)" : ""))
    }
}

extension SyncSummary.Obstacle {
    fileprivate var reason: String {
        switch self {
        case .unreachable(let reason), .unusable(let reason), .noSpace(let reason),
            .readOnly(let reason), .failed(let reason):
            reason
        }
    }
}

extension SyncSummary {
    var exitCode: ExitCode {
        switch obstacle {
        case .noSpace: .noSpace
        case .unreachable: .unreachable
        case .readOnly: .noMirror
        case .unusable, .failed: .failure
        case nil: missing > 0 ? .missing : .done
        }
    }

    /// What stood in the way, and what to do about it.
    fileprivate var sentence: String? {
        switch obstacle {
        case .noSpace(let text): "\(text); free disk space, or lower --min-free"
        case .unreachable(let text):
            "cannot reach NASA: \(text); check the network and --upstream, and run it again"
        case .unusable(let text):
            "the upstream has no list of entries: \(text); check --upstream and --feed"
        case .readOnly(let text): "\(text); remount it writable, and run it again"
        case .failed(let text): "\(text); check the disk, and run it again"
        case nil where missing > 0:
            "\(missing) of \(counted(wanted, "day")) \(missing == 1 ? "is" : "are") missing; “apod-mirror status” lists the reasons"
        case nil: nil
        }
    }
}
