internal import Platform
internal import Transfer

/// The classic mirrors, copies of NASA's old site, as the last ``Route``: they have a web page for each day, and no list.
struct ClassicFeed: Feed {
    let mirrors: [ClassicMirror]
    /// Returns the current day in UTC; `nil` if the clock is outside of the dates of the archive.
    let today: @Sendable () -> Day?
    let request: FeedRequest

    var kind: FeedKind { .basic }
    var route: Route { .classic }

    /// Requests the page of today, and that of yesterday if no mirror has today's.
    func newest() async throws(FeedError) -> FeedPage {
        guard let today = today() else { throw .unusable("the clock is wrong") }
        var rejections: [EntryRejection] = []
        var failure: FeedError?
        for day in [today, today.advanced(by: -1)] {
            do throws(FeedError) {
                var page = try await newest(of: day...day)
                page.rejections = rejections + page.rejections
                guard page.entries.isEmpty else { return page }
                rejections = page.rejections
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        if let rejection = rejections.first { throw .unusable(rejection.reason) }
        throw .notPublished(today)
    }

    /// Requests the page of the last day, from each mirror until one sends it.
    func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let day = days.upperBound
        var rejections: [EntryRejection] = []
        var failure: FeedError?
        for mirror in mirrors {
            do throws(FeedError) {
                let entry = try await entry(of: day, at: mirror.webPage(of: day))
                return FeedPage(entries: [entry], covered: day...day)
            } catch .notPublished {
                continue
            } catch .unusable(let reason) {
                rejections = [EntryRejection(day: day, reason: reason)]
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return FeedPage(entries: [], rejections: rejections, covered: day...day)
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

    /// Finds the fields of APOD Basic in a page of the old site; `nil` if it has no explanation. Such a page is, for example:
    ///
    ///     <center> 2026 September 16 <br> <img src="image/2609/M64.jpg"> </center>
    ///     <center> <b> A Title </b> <br> <b> Credit: </b> Ada Lovelace </center>
    ///     <b> Explanation: </b> A galaxy. <b> Tomorrow's picture: </b> open space <hr> ...
    private static func fields(
        of html: String, day: Day, at url: WebURL
    ) -> [RawEntry.Field: String]? {
        guard let label = html.firstRange(of: "Explanation:") else { return nil }
        let head = html[..<label.lowerBound]
        let text = html[label.upperBound...]
        let foot = text.firstRange(of: "Tomorrow's picture") ?? text.firstRange(of: "<hr")
        var credit = head.split(separator: "<center>").last ?? head
        if let titleEnd = credit.firstRange(of: "<br") {
            credit = credit[titleEnd.upperBound...].drop { $0 != ">" }.dropFirst()
        }
        let title = HTMLDocument.nodes(of: String(head)).pageTitle(of: day) ?? ""
        return [
            .title: title, .credit: String(credit), .copyright: String(credit),
            .explanation: "<b>Explanation: </b>\(text[..<(foot?.lowerBound ?? text.endIndex)])",
            .permalink: url.text, .basicHTML: String(head),
        ]
    }
}
