internal import Transfer

/// The days of a range from a server of the v1 shape, newest first, asked for when they are wanted.
///
/// One bad day fails the whole range that it lies in: such a range is asked for in halves, down to
/// the bad day, so that it costs itself only.
actor V1Pager {
    /// How many days are asked for at once.
    private static let size = 60
    /// So many bad days in a row are no bad days: the server is.
    private static let patience = 3

    private let upstream: Upstream
    /// What is still to be asked for, the newest last.
    private var open: [ClosedRange<Day>]
    /// The newest day, once the server said it.
    private var newest: Day?
    private var badDays = 0

    init(of days: ClosedRange<Day>, upstream: Upstream) {
        self.upstream = upstream
        let ends = sequence(first: days.upperBound) { end in
            end.number - Self.size < days.lowerBound.number ? nil : end.advanced(by: -Self.size)
        }
        open = ends.map { max(days.lowerBound, $0.advanced(by: 1 - Self.size))...$0 }.reversed()
    }

    /// The next days, `nil` after the last.
    func next() async throws(FeedError) -> Listing? {
        while let days = open.popLast() {
            if let listing = try await listing(of: days) { return listing }
        }
        return nil
    }

    /// What the server has of `days`; `nil` where that is to be asked for otherwise.
    private func listing(of days: ClosedRange<Day>) async throws(FeedError) -> Listing? {
        let end = min(days.upperBound, newest ?? days.upperBound)
        guard days.lowerBound <= end else { return Listing(entries: [], covered: days) }
        let asked = days.lowerBound...end
        let address = asked.count == 1 ? upstream.address(of: end) : upstream.address(of: asked)
        do {
            let answer = try await upstream.ask(address, for: asked)
            return try listing(of: days, answer, from: address)
        } catch .transfer(let error) {
            return try listing(of: days, asked: asked, refused: error, from: address)
        }
    }

    private func listing(
        of days: ClosedRange<Day>, _ answer: Answer, from address: WebAddress
    ) throws(FeedError) -> Listing? {
        guard !answer.isCut else {
            throw .unusable("\(address) answered more entries than there are days")
        }
        // An empty list tells less than the refusal that a single day gets.
        if answer.isEmpty, days.count > 1 { return split(days) }
        badDays = 0
        return Listing(
            entries: answer.entries.sorted { $0.day > $1.day }, rejections: answer.rejections,
            covered: days)
    }

    private func listing(
        of days: ClosedRange<Day>, asked: ClosedRange<Day>, refused error: TransferError,
        from address: WebAddress
    ) throws(FeedError) -> Listing? {
        switch V1Refusal(error, from: address) {
        case .tooNew(let newest) where newest < asked.upperBound:
            self.newest = newest
            open.append(days)
            return nil
        case .notPublished where days.count > 1, .stumbled where days.count > 1:
            return split(days)
        case .notPublished:
            badDays = 0
            return Listing(entries: [], covered: days)
        case .stumbled where badDays + 1 < Self.patience:
            badDays += 1
            let reason = "\(address) answered an error of the server"
            let rejection = Rejection(day: days.lowerBound, reason: reason)
            return Listing(entries: [], rejections: [rejection], covered: days)
        default:
            throw .transfer(error)
        }
    }

    /// Puts the halves of `days` in its place.
    private func split(_ days: ClosedRange<Day>) -> Listing? {
        let middle = days.lowerBound.advanced(by: days.count / 2)
        open.append(days.lowerBound...middle.advanced(by: -1))
        open.append(middle...days.upperBound)
        return nil
    }
}
