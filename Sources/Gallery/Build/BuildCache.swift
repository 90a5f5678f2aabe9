internal import APOD
internal import JSON
internal import Mirror

/// The signatures of the pages and their inputs at the last build.
///
/// Without it, all pages are built again, and written if they differ.
struct BuildCache: Hashable, Sendable {
    static let path = Layout.own + "/gallery.json"

    struct Page: Hashable, Sendable {
        /// Identifies the inputs; empty if they may have changed undetected.
        var inputSignature: String
        /// Identifies the written file.
        var fileSignature: String
    }

    struct Year: Hashable, Sendable {
        /// Not stored: the first build scans all files.
        var fingerprint: YearFingerprint
        var summary: YearPage.Summary
    }

    /// The program that built the pages; another version may build other pages.
    var program: String
    var pages: [String: Page] = [:]
    var years: [Int: Year] = [:]
}

extension BuildCache {
    var json: JSON {
        let pages = self.pages.sorted { $0.key < $1.key }.map { path, page in
            JSON.Member(
                key: path, value: [.string(page.inputSignature), .string(page.fileSignature)])
        }
        let years = self.years.sorted { $0.key > $1.key }.map { year, cache in
            JSON.Member(key: "\(year)", value: cache.json)
        }
        return ["program": .string(program), "years": .object(years), "pages": .object(pages)]
    }

    init?(_ json: JSON) {
        guard let program = json["program"]?.string else { return nil }
        self.program = program
        for member in json["pages"]?.members ?? [] {
            guard case .array(let texts) = member.value, texts.count == 2,
                let inputSignature = texts[0].string, let fileSignature = texts[1].string
            else { return nil }
            pages[member.key] = Page(inputSignature: inputSignature, fileSignature: fileSignature)
        }
        for member in json["years"]?.members ?? [] {
            guard let year = Int(member.key), let cache = Year(member.value) else { return nil }
            years[year] = cache
        }
    }
}

extension BuildCache.Year {
    fileprivate var json: JSON {
        ["days": .integer(summary.count), "cover": summary.cover.map(JSON.string)]
    }

    fileprivate init?(_ json: JSON) {
        guard let count = json["days"]?.integer, 0...366 ~= count else { return nil }
        summary = YearPage.Summary(count: count, cover: json["cover"]?.string)
        fingerprint = YearFingerprint(folders: 0)
    }
}
