internal import APOD

/// A page of APOD that was saved by a browser.
struct SavedPage {
    /// The day of the page, `nil` if neither its address nor its title has one.
    let day: Day?

    /// `nil` if `bytes` are no HTML.
    init?(_ bytes: [UInt8]) {
        let start = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        guard start.contains("<html") || start.contains("<!doctype html") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        day = Self.ownAddress(text) ?? Self.title(text)
    }

    /// The day in the address of the page itself; links to other days are ignored.
    private static func ownAddress(_ text: String) -> Day? {
        for marker in ["saved from url=", "rel=\"canonical\"", "property=\"og:url\""] {
            guard let range = text.firstRange(of: marker) else { continue }
            let rest = text[range.upperBound...].prefix { $0 != ">" }
            guard let address = rest.firstRange(of: "http") else { continue }
            let end = rest[address.lowerBound...].prefix { !"\" '".contains($0) && !$0.isNewline }
            if case .day(let day) = AddressText.meaning(of: String(end)) { return day }
        }
        return nil
    }

    /// The day of a title like `APOD: 2024 May 1 - A Nebula`.
    private static func title(_ text: String) -> Day? {
        let lower = text.lowercased()
        guard let start = lower.firstRange(of: "<title>"),
            let end = lower[start.upperBound...].firstRange(of: "</title>")
        else { return nil }
        let title = lower[start.upperBound..<end.lowerBound]
        return title.contains("apod") || title.contains("astronomy picture")
            ? DateInName.first(in: title.utf8) : nil
    }
}
