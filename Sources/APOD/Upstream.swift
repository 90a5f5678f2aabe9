internal import Platform
internal import Transfer

/// The server of a feed: asked for one address, it answers entries.
struct Upstream: Sendable {
    let address: WebAddress
    private let typed: String
    private let key: String?
    /// The most elements that one answer may have.
    private let limit: Int
    private let request: FeedRequest
    private let decoder: EntryDecoder

    /// - Parameters:
    ///   - typed: The address as the user gave it.
    ///   - path: Where the feed is on a server that was named without a path.
    ///   - limit: The most elements that are read of an answer.
    ///   - key: What goes into each request as `api_key`, and nowhere else.
    ///   - request: Asks one address.
    init(
        _ typed: String, path: String, limit: Int, key: String? = nil,
        request: @escaping FeedRequest
    ) {
        let given = WebAddress(typed: typed) ?? .nowhere
        address = given.path.isEmpty ? given.at(path, query: given.query) : given
        self.typed = typed
        self.key = key
        self.limit = limit
        self.request = request
        decoder = EntryDecoder(upstream: address)
    }

    /// Asks `address`.
    ///
    /// - Parameters:
    ///   - address: What is asked.
    ///   - days: The days that it is asked for.
    ///   - held: An element of an earlier answer that counts as the first of this one.
    /// - Returns: The entries that came.
    /// - Throws: ``FeedError/transfer(_:)``, and ``FeedError/unusable(_:)`` for what is no list of entries.
    func ask(
        _ address: WebAddress, for days: ClosedRange<Day> = .all,
        after held: ArraySlice<UInt8>? = nil
    ) async throws(FeedError) -> Answer {
        let answer = try await answer(of: address)
        switch try AnswerBody(answer.body, limit: limit, from: address) {
        case .error(_, let code, let message):
            throw .unusable("\(address) answered the error \(code.excerpt): \(message.excerpt)")
        case .elements(let elements, let isCut):
            let answer = Answer(
                (held.map { [$0] } ?? []) + elements, isCut: isCut, by: decoder,
                headers: answer.headers, asked: days)
            guard !Task.isCancelled else { throw .transfer(.cancelled) }
            try answer.check(days: days, from: address)
            return answer
        }
    }

    private func answer(of address: WebAddress) async throws(FeedError) -> FeedAnswer {
        guard WebAddress(typed: typed) != nil else {
            throw .unusable("\"\(typed)\" is no web address")
        }
        let filter = SecretFilter(key)
        do {
            guard let key, let filter else { return try await request(address.description) }
            let answer = try await request(address.adding(["api_key": key]).description)
            // A server may repeat what it was sent, in an error, a title or an address.
            return FeedAnswer(
                status: answer.status, headers: answer.headers.mapValues { filter.redacted($0) },
                body: filter.redacted(answer: answer.body))
        } catch {
            throw .transfer(error.naming(address.description, hidingBy: filter))
        }
    }
}

extension TransferError {
    /// The same error about `address`, with the key nowhere in it.
    fileprivate func naming(
        _ address: String, hidingBy filter: SecretFilter?
    ) -> TransferError {
        guard let filter else { return self }
        return switch self {
        case .forbidden(_, let reason):
            .forbidden(address: address, reason: filter.redacted(reason))
        case .unreachable(_, let reason):
            .unreachable(address: address, reason: filter.redacted(reason))
        case .throttled(_, let until): .throttled(address: address, until: until)
        case .refused(_, let status, let body):
            .refused(address: address, status: status, body: filter.redacted(body))
        case .broken(_, let reason): .broken(address: address, reason: filter.redacted(reason))
        case .tooLong(_, let limit): .tooLong(address: address, limit: limit)
        case .file, .cancelled: self
        }
    }
}
