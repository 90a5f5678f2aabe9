internal import Glibc
package import Platform

/// Asks servers for lists and files, politely, and believes nothing that they say.
///
/// A request is tried again where that may help. Cancellation ends it at once. Every address is
/// checked by the policy, those of redirects too, and so is the place a host's name resolves to
/// (except behind a proxy that the environment names: then the proxy resolves it).
package struct Client: Sendable {
    private let policy: AddressPolicy
    private let retry: RetryPolicy
    private let limits: Limits
    private let clock: any Clock<Duration>
    private let hosts: HostCalendar
    private let pace: Pace
    private let pool: TransferPool
    /// What it asked for, what came, and what went wrong.
    package let tally: Tally

    /// Makes a client with connections of its own, which end with its last copy.
    ///
    /// - Parameters:
    ///   - agent: The `User-Agent`: name, version and where to complain.
    ///   - policy: Which addresses may be asked.
    ///   - retry: How often, and how far apart, a request is tried.
    ///   - limits: What one request may cost.
    ///   - pace: How far apart ``get(_:limit:)`` asks.
    ///   - width: How many downloads run at once, beside one ``get(_:limit:)``; more of them wait.
    ///   - clock: What pauses are measured by.
    ///   - hosts: Who asked to be left alone.
    ///   - tally: What it counts in.
    ///   - caFile: The authorities that are trusted; `nil` for those of the system.
    package init(
        agent: String, policy: AddressPolicy, retry: RetryPolicy = .standard,
        limits: Limits = .standard, pace: Duration = .seconds(1), width: Int,
        clock: any Clock<Duration> = LoopClock(), hosts: HostCalendar, tally: Tally = Tally(),
        caFile: String? = nil
    ) {
        self.tally = tally
        self.policy = policy
        self.retry = retry
        self.limits = limits
        self.clock = clock
        self.hosts = hosts
        self.pace = Pace(pace, clock: clock)
        pool = TransferPool(
            width: width + 1, profile: Profile(agent: agent, limits: limits, caFile: caFile))
    }

    /// A whole answer in memory: lists, JSON, pages.
    ///
    /// The starts of two such requests are at least the pace apart, in the order of asking; those
    /// tried again wait their turn once more, redirects are followed without a pause.
    ///
    /// - Parameters:
    ///   - address: An address that the policy has for feeds.
    ///   - limit: The most bytes of a body, decoded; a longer one is broken.
    /// - Returns: An answer of status 200 to 299.
    /// - Throws: ``TransferError``
    package func get(
        _ address: String, limit: Int = 16 << 20
    ) async throws(TransferError) -> Answer {
        let start = try policy.check(address, as: .feed)
        let sink = MemorySink(start, limit: limit)
        let head = try await trying { () throws(TransferError) in
            try open(start)
            let attempt = attempt(at: start, as: .feed, headers: [], into: sink)
            let turn = try await takeTurn()
            return await pool.run { courier, ticket throws(Setback) in
                turn.begin()
                return try attempt.run(courier, ticket)
            }
        }
        return Answer(
            address: head.address.text, status: head.status, headers: head.headers, body: sink.body)
    }

    /// Streams a file into `file`, from its start, and hashes it on the way.
    ///
    /// An attempt that breaks off is taken up where it ended if the server has the same version
    /// still. After an error the file holds anything.
    ///
    /// - Parameters:
    ///   - address: An address that the policy has for media.
    ///   - file: Where the bytes go; what was in it is gone once the first of them comes.
    ///   - limit: The most bytes; a longer file is broken.
    ///   - progress: Told, on a thread of the client's, how many bytes are there.
    /// - Returns: What came.
    /// - Throws: ``TransferError``
    package func download(
        _ address: String, into file: borrowing FileDescriptor, limit: Int,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(TransferError) -> Receipt {
        let start = try policy.check(address, as: .media)
        let sink = FileSink(
            start, descriptor: file.rawValue, limit: limit, progress: progress)
        let head = try await trying { () throws(TransferError) in
            try open(start)
            let headers = sink.rangeHeaders ?? []
            let attempt = attempt(at: start, as: .media, headers: headers, into: sink)
            let outcome = await pool.run(attempt.run)
            if case .failure(let setback) = outcome { return .failure(sink.afterwards(setback)) }
            return outcome
        }
        let result = sink.result
        return Receipt(head, bytes: result.bytes, sha256: result.sha256)
    }

    /// Makes attempts until one succeeds, or none is worth making any more.
    private func trying(
        _ attempt: () async throws(TransferError) -> Result<Head, Setback>
    ) async throws(TransferError) -> Head {
        var number = 1
        while true {
            switch try await attempt() {
            case .success(let head): return head
            case .failure(let setback):
                tally.note(setback.error)
                try await pause(after: setback, attempt: number)
            }
            number += 1
        }
    }

    private func pause(after setback: Setback, attempt: Int) async throws(TransferError) {
        let random = Double.random(in: 0...1)
        guard let pause = retry.pause(after: setback, attempt: attempt, random: random) else {
            throw final(setback)
        }
        do {
            try await clock.sleep(for: pause)
        } catch {
            throw .cancelled
        }
    }

    /// What the caller is told: a host that wants peace gets it, from all requests.
    private func final(_ setback: Setback) -> TransferError {
        guard case .refused(let address, _, _) = setback.error, setback.isWorthRetrying,
            let (host, after) = setback.request
        else { return setback.error }
        return .throttled(address: address, until: hosts.close(host, for: after))
    }

    private func open(_ address: Address) throws(TransferError) {
        if Task.isCancelled { throw .cancelled }
        if let until = hosts.closed(address.host) {
            throw .throttled(address: address.shown, until: until)
        }
    }

    private func takeTurn() async throws(TransferError) -> Turn {
        do {
            return try await pace.turn()
        } catch {
            throw .cancelled
        }
    }

    private func attempt(
        at address: Address, as role: AddressPolicy.Role, headers: [String],
        into sink: any BodySink
    ) -> Attempt {
        Attempt(
            address: address, role: role, headers: headers, sink: sink, policy: policy,
            hosts: hosts, limits: limits, tally: tally)
    }
}
