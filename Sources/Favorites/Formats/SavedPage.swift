internal import APOD

/// A page of APOD that a browser saved, recognised by its bytes.
struct SavedPage {
    /// The day that the page is about, `nil` where it does not say.
    let day: Day?

    /// `nil` where `bytes` are no page, whatever the file is called.
    init?(_ bytes: [UInt8]) {
        let start = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        guard start.contains("<html") || start.contains("<!doctype html") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        day = Self.ownAddress(text) ?? Self.title(text)
    }

    /// A page links many days: only what names the page itself counts.
    private static func ownAddress(_ text: String) -> Day? {
        for mark in ["saved from url=", "rel=\"canonical\"", "property=\"og:url\""] {
            guard let range = text.firstRange(of: mark) else { continue }
            let rest = text[range.upperBound...].prefix { $0 != ">" }
            guard let address = rest.firstRange(of: "http") else { continue }
            let end = rest[address.lowerBound...].prefix { !"\" '".contains($0) && !$0.isNewline }
            if case .day(let day) = WebText.meaning(of: String(end)) { return day }
        }
        return nil
    }

    /// `APOD: 2024 May 1 - A Nebula`.
    private static func title(_ text: String) -> Day? {
        let lower = text.lowercased()
        guard let start = lower.firstRange(of: "<title>"),
            let end = lower[start.upperBound...].firstRange(of: "</title>")
        else { return nil }
        let title = lower[start.upperBound..<end.lowerBound]
        return title.contains("apod") || title.contains("astronomy picture")
            ? DateInText.day(in: title) : nil
    }
}
