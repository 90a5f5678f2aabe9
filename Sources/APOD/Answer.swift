/// The entries of one answer, and what else it says.
struct Answer: Sendable {
    /// As the answer orders them.
    private(set) var entries: [Entry] = []
    private(set) var rejections: [Rejection] = []
    /// The days of all elements that name one, as the answer orders them.
    private(set) var days: [Day] = []
    /// The number of elements that match, and of pages that hold them, where the server says it.
    let total: Int?
    let pages: Int?

    init(_ elements: [Element?], by decoder: EntryDecoder, headers: [String: String]) {
        total = headers["x-wp-total"].flatMap { Int($0) }
        pages = headers["x-wp-totalpages"].flatMap { Int($0) }
        for element in elements {
            guard let element else {
                rejections.append(Rejection(day: nil, reason: "an element is no object"))
                continue
            }
            do {
                let entry = try decoder.entry(from: element)
                entries.append(entry)
                days.append(entry.day)
            } catch {
                rejections.append(error)
                if let day = error.day { days.append(day) }
            }
        }
    }

    var isEmpty: Bool { entries.isEmpty && rejections.isEmpty }

    /// Whether each element is older than the one before it.
    var isDescending: Bool { zip(days, days.dropFirst()).allSatisfy { $0 > $1 } }

    /// The entry of `day`.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` naming what `address` answered instead.
    func entry(of day: Day, from address: WebAddress) throws(FeedError) -> Entry {
        if let entry = entries.first(where: { $0.day == day }) { return entry }
        if entries.isEmpty, let rejection = rejections.first {
            throw .unusable("\(address) answered no entry: \(rejection.reason)")
        }
        let found = entries.first.map { "\($0.day)" } ?? "an empty list"
        throw .unusable("\(address) answered \(found) when asked for \(day)")
    }

    /// All of it as the newest that `address` has.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` where no entry is among it.
    func newest(from address: WebAddress) throws(FeedError) -> Listing {
        let entries = entries.sorted { $0.day > $1.day }
        guard let newest = entries.first?.day, let oldest = entries.last?.day else {
            let reason = rejections.first?.reason ?? "the list is empty"
            throw .unusable("\(address) answered no entry: \(reason)")
        }
        // Out of order, it does not say what lies between.
        return Listing(
            entries: entries, rejections: rejections,
            covered: (isDescending ? oldest : newest)...newest)
    }

    /// - Throws: ``FeedError/unusable(_:)`` where an element is of another day: a server that ignores
    ///   what it was asked for says nothing about it.
    func check(days asked: ClosedRange<Day>, from address: WebAddress) throws(FeedError) {
        guard let other = days.first(where: { !asked.contains($0) }) else { return }
        throw .unusable(
            "\(address) answered \(other) when asked for \(asked.lowerBound) to \(asked.upperBound)"
        )
    }
}
