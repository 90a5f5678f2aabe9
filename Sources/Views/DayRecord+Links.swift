internal import APOD
internal import FoundationEssentials
internal import Mirror

extension DayRecord {
    /// Where a link of the record leads to on the web; `nil` if that is no web server.
    ///
    /// The record has the link as NASA wrote it. A day that was in the future when NASA's text was read has no page.
    func webAddress(of link: String?) -> String? {
        guard let link, let archived = ArchiveLink(link) else { return link?.webURL }
        let read = Day(number: Int(fetched.timeIntervalSince1970 / 86_400))
        return archived.webAddress(asOf: read ?? .last)
    }
}
