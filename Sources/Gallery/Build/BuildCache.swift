internal import APOD
internal import JSON
internal import Mirror

/// What the pages were made from when they were last made, and what they are on the disk.
///
/// A cache: where it is gone or not true any more, pages are made again, and written where they differ.
struct BuildCache: Hashable, Sendable {
    static let path = Layout.own + "/gallery.json"

    struct Page: Hashable, Sendable {
        /// Tells what it was made from; empty where that may have changed unseen.
        var stamp: String
        /// Tells the file from others.
        var trace: String
    }

    struct Year: Hashable, Sendable {
        var fingerprint: YearFingerprint
        var summary: YearPage.Summary
    }

    /// The program that made them: another one may make them otherwise.
    var program: String
    var pages: [String: Page] = [:]
    var years: [Int: Year] = [:]

    /// Forgets what the pages were made from: `program` may make them otherwise, or others.
    mutating func becomeUntrue(of program: String) {
        self.program = program
        years = [:]
        for path in pages.keys { pages[path]?.stamp = "" }
    }
}

extension BuildCache {
    var json: JSON {
        let pages = self.pages.sorted { $0.key < $1.key }.map { path, page in
            JSON.Member(key: path, value: [.string(page.stamp), .string(page.trace)])
        }
        let years = self.years.sorted { $0.key > $1.key }.map { year, memory in
            JSON.Member(key: "\(year)", value: memory.json)
        }
        return ["program": .string(program), "years": .object(years), "pages": .object(pages)]
    }

    /// Reads a memory, `nil` where `json` is none.
    init?(_ json: JSON) {
        guard let program = json["program"]?.string else { return nil }
        self.program = program
        for member in json["pages"]?.members ?? [] {
            guard case .array(let texts) = member.value, texts.count == 2,
                let stamp = texts[0].string, let trace = texts[1].string
            else { return nil }
            pages[member.key] = Page(stamp: stamp, trace: trace)
        }
        for member in json["years"]?.members ?? [] {
            guard let year = Int(member.key), let memory = Year(member.value) else { return nil }
            years[year] = memory
        }
    }
}

extension BuildCache.Year {
    fileprivate var json: JSON {
        [
            "days": .integer(summary.count), "cover": summary.cover.map(JSON.string),
            "newest": fingerprint.newest.map { .string("\($0)") },
            "oldest": fingerprint.oldest.map { .string("\($0)") },
            "folders": .string(String(fingerprint.folders.digest, radix: 16)),
            "files": .string(String(fingerprint.files, radix: 16)),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let count = json["days"]?.integer, 0...366 ~= count,
            let folders = json["folders"]?.string.flatMap({ UInt64($0, radix: 16) }),
            let files = json["files"]?.string.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        summary = YearPage.Summary(count: count, cover: json["cover"]?.string)
        fingerprint = YearFingerprint(
            files: files, folders: YearFolders(digest: folders),
            newest: json["newest"]?.string.flatMap { Day(iso: $0) },
            oldest: json["oldest"]?.string.flatMap { Day(iso: $0) })
    }
}
