/// Reads where the symbolic links of one folder lead, while more of their names are being listed.
///
/// To read a link takes longer than to list it: where there are many, other threads help.
final class LinkBatches: Sendable {
    /// So many names are worth a thread.
    static let size = 1024

    private struct State {
        var waiting: [LinkNames] = []
        var read: [DirectoryListing] = []
        var helpers = 0
    }

    private let state = Monitor(State())
    private let pulse = Heartbeat.current
    private let path: [UInt8]
    private let identity: FileIdentity
    private let descriptor: CInt
    private let budget: ScanBudget

    /// - Parameters:
    ///   - path: What the folder is called in the listings.
    ///   - identity: Which one it is.
    ///   - descriptor: The same, open until ``finish(_:)`` returns.
    ///   - budget: How much may be kept.
    init(
        _ path: [UInt8], _ identity: FileIdentity, _ descriptor: CInt, _ budget: ScanBudget
    ) {
        self.path = path
        self.identity = identity
        self.descriptor = descriptor
        self.budget = budget
    }

    /// Has `names` read by another thread, as soon as there is one.
    func take(_ names: LinkNames) {
        let needsHelper = state.withLock { state in
            state.waiting.append(names)
            guard state.helpers < Slices.threads - 1 else { return false }
            state.helpers += 1
            return true
        }
        guard needsHelper else { return }
        startThread("links") { [self] in
            work()
            state.withLock { $0.helpers -= 1 }
            state.signal()
        }
    }

    /// Reads what is left, and blocks until all is read.
    ///
    /// - Parameter rest: The last names.
    /// - Returns: All links, and what kept one from being read, in parts.
    func finish(_ rest: LinkNames) -> [DirectoryListing] {
        state.withLock { $0.waiting.append(rest) }
        work()
        return state.wait { $0.helpers == 0 ? $0.read : nil }
    }

    private func work() {
        while let names = state.withLock({ $0.waiting.popLast() }) {
            pulse?.beat()
            let links = names.read(in: path, identity, descriptor, budget)
            state.withLock { $0.read.append(links) }
        }
    }
}
