package import APOD
package import JSON
import Mirror
import Platform

/// The contents of records, and whether the files match them.
extension TreeImage {
    /// The day, title and hashes of a record, which an edit changes.
    package struct Revision: Hashable {
        package let day: Day
        let title: String?
        let sha256: String?
        let video: String?
    }

    /// Each record as a JSON value, `null` if it is invalid.
    package var records: [String: JSON] {
        decodedRecords.withLock { known -> [String: JSON] in
            if let known { return known }
            let records = files.filter { $0.key.hasPrefix(Layout.metadata + "/") }
                .mapValues { (try? JSON(parsing: $0)) ?? .null }
            known = records
            return records
        }
    }

    package var revisions: Set<Revision> {
        Set(
            records.values.compactMap { record in
                guard let day = record["date"]?.string.flatMap({ Day(iso: $0) }) else { return nil }
                return Revision(
                    day: day, title: record["title"]?.string,
                    sha256: record["picture"]?["sha256"]?.string,
                    video: record["video"]?["sha256"]?.string)
            })
    }

    /// The days with a record.
    var recordedDays: Set<Day> {
        Set(
            files.keys.filter { $0.hasPrefix(Layout.metadata + "/") }
                .compactMap { Day(iso: Layout.split($0).name.prefix(10)) })
    }

    /// The days whose record names an existing picture.
    package var complete: Set<Day> {
        days { $0["picture"] != nil && $0["picture"]?["removed"] == nil }
    }

    /// The days whose record names a picture or a video.
    var withMedia: Set<Day> { complete.union(days { $0["video"]?["path"] != nil }) }

    /// The days whose original is still to be downloaded.
    var reduced: Set<Day> { days { $0["picture"]?["reduced"] != nil } }

    /// The days whose picture retention removed.
    var removed: Set<Day> { days { $0["picture"]?["removed"] != nil } }

    private func days(where isIncluded: (JSON) -> Bool) -> Set<Day> {
        Set(
            records.values.filter(isIncluded).compactMap {
                $0["date"]?.string.flatMap { Day(iso: $0) }
            })
    }

    /// The days that are favorites.
    package var favorites: Set<Day> {
        let folder = "\(Layout.own)/favorites/"
        return Set(
            files.keys.filter { $0.hasPrefix(folder) && $0.hasSuffix(".json") }
                .compactMap { Day(iso: $0.dropFirst(folder.count).dropLast(5)) })
    }

    /// The items in `favorites/`.
    var links: [String: [UInt8]] { files.filter { $0.key.hasPrefix("favorites/") } }

    /// The pictures and videos of records that are missing, or have another size or hash.
    package var damage: [String] {
        records.sorted { $0.key < $1.key }.flatMap { path, record -> [String] in
            if record["picture"] == nil, record["no_picture"] == nil,
                record["video"]?["path"] == nil
            {
                return ["\(path) is no record"]
            }
            return ["picture", "video"].compactMap { kind in
                guard let file = record[kind], file["sha256"] != nil, file["removed"] == nil
                else { return nil }
                return isWhole(file) ? nil : "the \(kind) of \(path) is missing or damaged"
            }
        }
    }

    private func isWhole(_ file: JSON) -> Bool {
        guard let bytes = file["path"]?.string.flatMap({ files[$0] }) else { return false }
        return Self.hash(bytes) == file["sha256"]?.string
            && bytes.count == file["bytes"]?.integer ?? bytes.count
    }

    private static func hash(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hexDigest()
    }

    /// ``damage`` without interrupted edits and removals: their next record is staged, and its file and the replaced
    /// bytes exist, unless it says that they are removed.
    package var damageBesideEdits: [String] {
        let edits = files.compactMap { path, bytes -> JSON? in
            path.hasPrefix("\(Layout.incoming)/") && path.hasSuffix(".json")
                ? try? JSON(parsing: bytes) : nil
        }
        guard !edits.isEmpty else { return damage }
        let removed = edits.flatMap { edit in
            ["picture", "video"].compactMap { edit[$0] }.filter { $0["removed"] != nil }
        }.compactMap { $0["sha256"]?.string }
        let hashes = Set(files.values.map(Self.hash) + removed)
        let days = edits.filter { edit in
            ["picture", "video"].allSatisfy { kind in
                edit[kind]?["sha256"]?.string.map(hashes.contains) ?? true
            }
        }.compactMap { $0["date"]?.string }
        let replaced = records.values.flatMap { [$0["picture"], $0["video"]] }
            .compactMap { $0?["sha256"]?.string }
        guard replaced.allSatisfy(hashes.contains) else { return damage }
        return damage.filter { line in !days.contains { line.contains("/\($0).json") } }
    }

    /// The archived files.
    package var previous: [String: [UInt8]] {
        files.filter { $0.key.hasPrefix(Layout.previous + "/") && !$0.key.hasSuffix(".json") }
    }

    /// The days of ``damage``.
    var damagedDays: Set<Day> {
        let damage = damage
        return complete.filter { day in damage.contains { $0.contains("/\(day).json") } }
    }

    /// The pinned pictures of the favorites.
    package var pins: [String: [UInt8]] {
        files.filter {
            Layout.split($0.key).folder == Layout.favoriteStore && !$0.key.hasSuffix(".json")
        }
    }

    /// The files that must never be lost: pictures, videos, their archived copies, damaged records.
    private var kept: [String] {
        let folders = [
            Layout.favoriteStore, Layout.previous, Layout.damaged, Layout.trash, Layout.adopted,
        ].map { "\($0)/" }
        return pictures + records.filter { $0.value == .null }.keys
            + files.keys.filter { path in
                // A record and a sidecar are written again when their day returns.
                ![".json", ".xmp"].contains { path.hasSuffix($0) }
                    && folders.contains { path.hasPrefix($0) }
            }
    }

    /// The pictures, videos and damaged files of `earlier` whose bytes are lost, and sidecars with a lost tag.
    package func lost(of earlier: TreeImage) -> [String] {
        let bytes = Set(files.values)
        let lost = earlier.kept.filter { path in
            earlier.files[path].map { !bytes.contains($0) } ?? false
        }
        return lost.sorted() + (tagged.count < earlier.tagged.count ? earlier.tagged : [])
    }

    /// What a photo manager writes into a sidecar.
    package static let foreignTag = "<my:tag xmlns:my=\"urn:mine\">comet</my:tag>"

    private var tagged: [String] {
        sidecars.filter { files[$0]?.contains(bytes: Array(Self.foreignTag.utf8)) == true }
    }

    /// The first lines of a record that differ from `other`.
    func newLines(of path: String, since other: TreeImage) -> String {
        guard path.hasSuffix(".json") else { return "" }
        let old = Set(Self.lines(other.files[path]))
        return Self.lines(files[path]).filter { !old.contains($0) && !$0.contains("\"fetched\"") }
            .prefix(3).joined(separator: " ")
    }

    private static func lines(_ bytes: [UInt8]?) -> [String] {
        String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
