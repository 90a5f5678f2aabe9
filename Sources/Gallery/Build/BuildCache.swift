internal import APOD
internal import JSON
internal import Mirror

/// What the last build made of the pages and the years.
///
/// Without it, all pages are built again, and written if they differ.
struct BuildCache: Hashable, Sendable {
    static let path = Layout.own + "/gallery.json"

    struct Year: Hashable, Sendable {
        /// Not stored: the first build scans all files.
        var fingerprint = YearFingerprint(folders: 0)
        /// The path of the picture on the card of the year.
        var cover: String?
    }

    /// By path what identifies the inputs of the page and its file; empty if the inputs may have changed undetected.
    var pages: [String: String] = [:]
    var years: [Int: Year] = [:]
}

extension BuildCache {
    var json: JSON {
        let pages = self.pages.sorted { $0.key < $1.key }.map { path, signature in
            JSON.Member(key: path, value: .string(signature))
        }
        let years = self.years.sorted { $0.key > $1.key }.map { year, cache in
            JSON.Member(key: "\(year)", value: cache.cover.map(JSON.string) ?? .null)
        }
        return ["years": .object(years), "pages": .object(pages)]
    }

    init?(_ json: JSON) {
        for member in json["pages"]?.members ?? [] {
            guard let signature = member.value.string else { return nil }
            pages[member.key] = signature
        }
        for member in json["years"]?.members ?? [] {
            guard let year = Int(member.key) else { return nil }
            years[year] = Year(cover: member.value.string)
        }
    }
}
