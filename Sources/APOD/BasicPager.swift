internal import Transfer

/// The pages that hold a range of days, newest first, each asked for when it is wanted.
///
/// A page vouches for its entries and for the days from its oldest element up to where the page before
/// it ended; the last one vouches for all that is left. Out of order, a page vouches for its newest day
/// only, and what it does not name is left to the page after it.
actor BasicPager {
    private let days: ClosedRange<Day>
    private let upstream: Upstream
    /// The newest day that pages are counted from.
    private var newest: Day
    private var page = 1
    private var isDone = false
    private var isOrdered = true
    private var known: Set<Day> = []
    /// The last element of the page before, where the next page may have a better one of its date.
    private var held: ArraySlice<UInt8>?
    /// No page spoke yet of the days up to this one.
    private var open: Day

    init(of days: ClosedRange<Day>, upstream: Upstream) {
        self.days = days
        self.upstream = upstream
        newest = days.upperBound
        open = days.upperBound
    }

    /// The next page, `nil` after the last.
    func next() async throws(FeedError) -> Listing? {
        guard !isDone else { return nil }
        let address = upstream.address.adding([
            "date_from": days.lowerBound.compact, "date_to": newest.compact,
            "per_page": "25", "page": String(page),
        ])
        guard let answer = try await answer(of: address) else { return remainder() }
        if answer.isEmpty { return try end(answer, from: address) }
        guard answer.days.contains(where: { !known.contains($0) }) else {
            let reason = answer.rejections.first?.reason ?? "it repeats earlier pages"
            throw .unusable("\(address) answered nothing new: \(reason)")
        }
        return listing(answer)
    }

    /// What `address` answers, `nil` where it says that no such page is.
    private func answer(of address: WebAddress) async throws(FeedError) -> Answer? {
        do {
            return try await upstream.ask(address, for: days, after: held)
        } catch .transfer(.refused(_, 400, let body)) where page > 1 {
            guard
                case .error(_, "rest_post_invalid_page_number", _)? =
                    try? AnswerBody(body, limit: 1, from: address)
            else {
                throw .transfer(.refused(address: address.description, status: 400, body: body))
            }
            return nil
        }
    }

    /// What an empty page vouches for.
    private func end(_ answer: Answer, from address: WebAddress) throws(FeedError) -> Listing? {
        guard page == 1 ? answer.total == 0 : page > answer.pages ?? 0 else {
            let count = answer.total.map(String.init) ?? "no"
            throw .unusable("\(address) answered an empty page and \(count) as their total")
        }
        return remainder()
    }

    private func remainder() -> Listing? {
        isDone = true
        guard isOrdered, days.contains(open) else { return nil }
        return Listing(entries: [], covered: days.lowerBound...open)
    }

    private func listing(_ answer: Answer) -> Listing {
        let isLast = !answer.isCut && answer.pages.map { page >= $0 } ?? false
        // A day that was published meanwhile moves all others on: the first may be known.
        var found = Set(answer.days).subtracting(known)
        held = nil
        if !isLast, let last = answer.days.last, found.count > 1, let element = answer.doubtful {
            held = element
            found.remove(last)
        }
        let oldest = found.min() ?? open
        let latest = found.max() ?? open
        isOrdered = answer.isDescending && latest <= open
        let listing = Listing(
            entries: answer.entries.filter { found.contains($0.day) }.sorted { $0.day > $1.day },
            rejections: answer.rejections,
            covered: isOrdered ? (isLast ? days.lowerBound : oldest)...open : latest...latest)
        known.formUnion(found)
        if isOrdered { open = oldest.advanced(by: -1) }
        isDone = isLast || (isOrdered && oldest == days.lowerBound)
        page += 1
        // A server whose pages are longer counts them otherwise.
        if answer.isCut, isOrdered, !isDone { (newest, page) = (open, 1) }
        return listing
    }
}
