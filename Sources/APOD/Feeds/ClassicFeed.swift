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
    ///
    /// - Throws: The first failure that says more than that a page is not there yet.
    func newest() async throws(FeedError) -> FeedPage {
        guard let today = today() else { throw .unusable("the clock is wrong") }
        var failure = FeedError.notPublished(today)
        for day in [today, today.advanced(by: -1)] {
            do throws(FeedError) {
                var page = FeedPage(entries: [try await entry(of: day)], covered: day...day)
                if case .unusable(let reason) = failure {
                    page.rejections = [EntryRejection(day: today, reason: reason)]
                }
                return page
            } catch {
                if error == .transfer(.cancelled) { throw error }
                if failure == .notPublished(today), error != .notPublished(day) { failure = error }
            }
        }
        throw failure
    }

    /// Requests the page of the last day.
    func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
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

    /// Requests the page of `day`, from each mirror until one sends it.
    ///
    /// - Throws: The last failure that says more than that a page is not there.
    func entry(of day: Day) async throws(FeedError) -> Entry {
        var failure = FeedError.notPublished(day)
        for mirror in mirrors {
            do throws(FeedError) {
                return try await entry(of: day, at: mirror.webPage(of: day))
            } catch {
                if error == .transfer(.cancelled) { throw error }
                if error != .notPublished(day) { failure = error }
            }
        }
        throw failure
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
