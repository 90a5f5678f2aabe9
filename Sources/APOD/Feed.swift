package import Transfer

/// Where entries come from.
package protocol Feed: Sendable {
    var kind: FeedKind { get }

    /// The newest entry, and those just before it where the same answer brings them.
    func newest() async throws(FeedError) -> Listing

    /// The entry of one day.
    ///
    /// - Throws: ``FeedError/notPublished(_:)`` where NASA has none, or not yet.
    func entry(of day: Day) async throws(FeedError) -> Entry

    /// The entries of a range, newest first, one answer at a time, asked for as they are consumed.
    ///
    /// The sequence throws ``FeedError`` where an answer cannot be had; what came before it counts.
    func listings(in days: ClosedRange<Day>) -> AsyncThrowingStream<Listing, any Error>
}

/// Asks one address of a feed for its answer.
///
/// A status of 400 or more comes as ``TransferError/refused(address:status:body:)``.
package typealias FeedRequest =
    @Sendable (_ address: String) async throws(TransferError) -> FeedAnswer

/// What one answer of a feed says.
package struct Listing: Hashable, Sendable {
    /// Newest first.
    package var entries: [Entry]
    /// The elements that are no usable entry: they never fail the others.
    package var rejections: [Rejection]
    /// The days the answer speaks of: one that is in neither list is not published.
    ///
    /// An answer out of order speaks of one day only; its entries may lie elsewhere.
    package var covered: ClosedRange<Day>

    package init(entries: [Entry], rejections: [Rejection] = [], covered: ClosedRange<Day>) {
        self.entries = entries
        self.rejections = rejections
        self.covered = covered
    }
}

/// One element of an answer that is no usable entry.
package struct Rejection: Hashable, Sendable {
    /// The day it claims to be, where it says so.
    package var day: Day?
    package var reason: String

    package init(day: Day?, reason: String) {
        self.day = day
        self.reason = reason
    }
}

/// Why a feed has no entry to give.
package enum FeedError: Error, Hashable, Sendable {
    /// A fact of the domain, not a failure: look again later.
    case notPublished(Day)
    /// The answer did not come.
    case transfer(TransferError)
    /// The answer came and is none: a stand-in, another date, no JSON. The text says which.
    case unusable(String)
}

extension FeedError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notPublished(let day): "nothing is published for \(day)"
        case .transfer(let error): "\(error)"
        case .unusable(let reason): reason
        }
    }
}
