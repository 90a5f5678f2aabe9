internal import Platform
internal import Transfer

/// Reads entries from classic mirrors, which are copies of NASA's old site: the last ``Route``, used if the others fail.
///
/// A classic mirror has no list of entries, but a web page for each day.
struct ClassicFeed: Feed {
    /// They are asked in this order.
    let mirrors: [ClassicMirror]
    /// Returns the current day in UTC; `nil` if the clock is outside of the dates of the archive.
    let today: @Sendable () -> Day?
    let request: FeedRequest

    var kind: FeedKind { .basic }
    var route: Route { .classic }

    /// Requests the entry of today, and if no mirror has it, the entry of yesterday.
    ///
    /// - Throws: The first error that is more than "not published yet".
    func newestPage() async throws(FeedError) -> FeedPage {
        guard let today = today() else { throw .unusable("the clock is wrong") }
        var firstError: FeedError?
        for day in [today, today.advanced(by: -1)] {
            do throws(FeedError) {
                var page = FeedPage(entries: [try await entry(of: day)], covered: day...day)
                if case .unusable(let reason) = firstError {
                    page.rejections = [EntryRejection(day: today, reason: reason)]
                }
                return page
            } catch .notPublished {
                continue
            } catch {
                if error == .transfer(.cancelled) { throw error }
                firstError = firstError ?? error
            }
        }
        throw firstError ?? .notPublished(today)
    }

    /// Requests the entry of the last day.
    func newestPage(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let day = days.upperBound
        var page = FeedPage(entries: [], covered: day...day)
        do throws(FeedError) {
            page.entries = [try await entry(of: day)]
        } catch .notPublished {
            // No mirror has the page.
        } catch .unusable(let reason) {
            page.rejections = [EntryRejection(day: day, reason: reason)]
        }
        return page
    }

    /// Requests the web page of `day` from one mirror after the other, until a mirror has it.
    ///
    /// - Throws: The last error that is more than "not published yet"; if there is none, ``FeedError/notPublished(_:)``.
    func entry(of day: Day) async throws(FeedError) -> Entry {
        var lastError: FeedError?
        for mirror in mirrors {
            do throws(FeedError) {
                return try await entry(of: day, at: mirror.webPage(of: day))
            } catch .notPublished {
                continue
            } catch {
                if error == .transfer(.cancelled) { throw error }
                lastError = error
            }
        }
        throw lastError ?? .notPublished(day)
    }

    private func entry(of day: Day, at url: WebURL) async throws(FeedError) -> Entry {
        let body: [UInt8]
        do throws(TransferError) {
            body = try await request(url.text).body
        } catch .refused(_, let status, _) where [404, 410].contains(status) {
            throw .notPublished(day)
        } catch {
            throw .transfer(error)
        }
        let html = String(decoding: body, as: UTF8.self)
        let dayOfPage = Day(onPage: html)
        // A mirror may send its newest page for a day that it does not have yet.
        if let dayOfPage, dayOfPage < day { throw .notPublished(day) }
        guard dayOfPage == day, let fields = Self.fields(of: html, day: day, at: url) else {
            throw .unusable("\(url) is not the page of \(day)")
        }
        do throws(EntryRejection) {
            return try EntryDecoder(upstream: url, route: .classic)
                .entry(from: RawEntry(ofPage: fields))
        } catch {
            throw .unusable("\(url): \(error.reason)")
        }
    }

    /// Finds the fields of an entry in a page of the old site; `nil` if the page has no explanation.
    ///
    /// This is such a page:
    ///
    ///     <center> 2026 September 16 <br> <img src="image/2609/M64.jpg"> </center>
    ///     <center> <b> A Title </b> <br> <b> Credit: </b> Ada Lovelace </center>
    ///     <b> Explanation: </b> A galaxy. <b> Tomorrow's picture: </b> open space <hr> ...
    private static func fields(
        of html: String, day: Day, at url: WebURL
    ) -> [RawEntry.Field: String]? {
        guard let label = html.firstRange(of: "Explanation:") else { return nil }
        let head = html[..<label.lowerBound]
        let afterLabel = html[label.upperBound...]
        let foot =
            afterLabel.firstRange(of: "Tomorrow's picture") ?? afterLabel.firstRange(of: "<hr")
        let explanation = afterLabel[..<(foot?.lowerBound ?? afterLabel.endIndex)]
        // The title and the credit are in the last centered block. The credit follows the line break after the title.
        var credit = head.split(separator: "<center>").last ?? head
        if let lineBreak = credit.firstRange(of: "<br") {
            credit = credit[lineBreak.upperBound...].drop { $0 != ">" }.dropFirst()
        }
        let title = HTMLDocument.nodes(of: String(head)).pageTitle(of: day) ?? ""
        return [
            .title: title, .credit: String(credit), .copyright: String(credit),
            .explanation: "<b>Explanation: </b>\(explanation)",
            .permalink: url.text, .basicHTML: String(head),
        ]
    }
}
