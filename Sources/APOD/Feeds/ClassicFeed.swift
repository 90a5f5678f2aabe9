internal import Transfer

/// Reads entries from classic mirrors, which are copies of NASA's old site: the last ``Route``, used if the others fail.
///
/// A classic mirror has no list of entries, but a web page for each day.
struct ClassicFeed: Feed {
    /// The mirrors, in the order in which they are asked.
    let mirrors: [ClassicMirror]
    /// Returns the current day in UTC; `nil` if the clock is outside of the dates of the archive.
    let today: @Sendable () -> Day?
    let request: FeedRequest

    /// The fields on a web page are read like those of APOD Basic.
    var kind: FeedKind { .basic }
    var route: Route { .classic }

    /// Requests the entry of today, and if no mirror has it, the entry of yesterday.
    ///
    /// If the page of today cannot be used, the result page with the entry of yesterday has the reason as a rejection. A failed
    /// request for the page of today is not reported then, because the next poll repeats it.
    ///
    /// - Throws: A cancellation, or else the first error that is more than "not published yet".
    func newestPage() async throws(FeedError) -> FeedPage {
        guard let currentDay = today() else { throw .unusable("the clock is wrong") }
        let errorOfToday: FeedError
        do throws(FeedError) {
            let entry = try await entry(of: currentDay)
            return FeedPage(entries: [entry], covered: currentDay...currentDay)
        } catch {
            if error == .transfer(.cancelled) { throw error }
            errorOfToday = error
        }
        let yesterday = currentDay.advanced(by: -1)
        do throws(FeedError) {
            let entry = try await entry(of: yesterday)
            var page = FeedPage(entries: [entry], covered: yesterday...yesterday)
            if case .unusable(let reason) = errorOfToday {
                page.rejections = [EntryRejection(day: currentDay, reason: reason)]
            }
            return page
        } catch .notPublished {
            throw errorOfToday
        } catch {
            let isFirstError = errorOfToday == .notPublished(currentDay)
            let isCancellation = error == .transfer(.cancelled)
            throw isFirstError || isCancellation ? error : errorOfToday
        }
    }

    /// Requests the entry of the last day only; the caller requests the earlier days, which the result page does not cover.
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
    /// - Throws: If a mirror failed, the error of the last one that failed; if none has the page, ``FeedError/notPublished(_:)``.
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
        guard dayOfPage == day, let page = ClassicPage(html, at: url, of: day) else {
            throw .unusable("\(url) is not the page of \(day)")
        }
        do throws(EntryRejection) {
            return try EntryDecoder(upstream: url, route: .classic)
                .entry(from: RawEntry(ofPage: page.fields))
        } catch {
            throw .unusable("\(url): \(error.reason)")
        }
    }
}
