internal import Platform
internal import Transfer

/// The pages of classic mirrors of APOD, the last route to NASA's days: one for each day, and no list.
package struct ClassicFeed: Feed {
    private let mirrors: [ClassicMirror]
    /// The current day in UTC.
    private let today: @Sendable () -> Day?
    private let request: FeedRequest

    package init(
        _ mirrors: [ClassicMirror], today: @escaping @Sendable () -> Day?,
        request: @escaping FeedRequest
    ) {
        self.mirrors = mirrors
        self.today = today
        self.request = request
    }

    package var kind: FeedKind { .basic }
    package var route: Route { .classic }

    /// Requests the page of today, or of yesterday if no mirror sends it.
    package func newest() async throws(FeedError) -> FeedPage {
        guard let today = today() else { throw .unusable("the clock is wrong") }
        var failure = FeedError.notPublished(today)
        for day in [today, today.advanced(by: -1)] {
            do throws(FeedError) {
                let entry = try await entry(of: day)
                var page = FeedPage(entries: [entry], covered: day...day)
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

    package func entry(of day: Day) async throws(FeedError) -> Entry {
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
        let page = String(decoding: body, as: UTF8.self)
        let dayOfPage = Day(onPage: page)
        // A mirror may send its newest page for a day that it does not have yet.
        if let dayOfPage, dayOfPage < day { throw .notPublished(day) }
        guard dayOfPage == day, let fields = page.fieldsOfClassicPage(of: day, at: url)
        else { throw .unusable("\(url) is not the page of \(day)") }
        do throws(EntryRejection) {
            return try EntryDecoder(upstream: url, route: .classic)
                .entry(from: RawEntry(ofPage: fields))
        } catch {
            throw .unusable("\(url): \(error.reason)")
        }
    }

    package func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let day = days.upperBound
        var page = FeedPage(entries: [], covered: day...day)
        do throws(FeedError) {
            page.entries = [try await entry(of: day)]
        } catch .notPublished {
        } catch .unusable(let reason) {
            page.rejections = [EntryRejection(day: day, reason: reason)]
        }
        return page
    }
}

extension String {
    /// The fields of APOD Basic that a page of the old site has: the media and the credit are above the label of the
    /// explanation, links to other days below it; `nil` without that label.
    fileprivate func fieldsOfClassicPage(of day: Day, at url: WebURL) -> [String: String]? {
        guard let label = firstRange(of: "Explanation:") else { return nil }
        let head = self[..<label.lowerBound]
        let foot = self[label.lowerBound...]
        let end = foot.firstRange(of: "Tomorrow's picture") ?? foot.firstRange(of: "<hr")
        // The last block above has the title in its first line, and then the credit.
        var credit = head
        while let start = credit.firstRange(of: "<center>") { credit = credit[start.upperBound...] }
        if let line = credit.firstRange(of: "<br") {
            credit = credit[line.upperBound...].drop { $0 != ">" }.dropFirst()
        }
        let title = HTMLDocument.nodes(of: String(head)).pageTitle(of: day) ?? ""
        return [
            "title": title.htmlEscaped, "credit": String(credit), "copyright": String(credit),
            "explanation": "<b>Explanation: </b>"
                + foot[label.upperBound..<(end?.lowerBound ?? foot.endIndex)],
            "permalink": url.text, "basic_html": String(head),
        ]
    }
}
