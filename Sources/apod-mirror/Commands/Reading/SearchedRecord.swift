import APOD
import JSON
import Mirror
import Platform

/// The record of a day as `search` reads it: only a few of its members, which are parsed when they are used.
///
/// ``RecordSearch`` reads thousands of records. Unlike a `DayRecord`, this one is not checked against the rules of records.
struct SearchedRecord: Sendable {
    private static let fields: Set = [
        "title", "explanation", "credit", "copyright", "picture", "video",
    ]

    let day: Day
    /// The ``fields`` that the record has.
    private let members: [String: RawJSON]

    /// Reads the record of `day` in `folder`, the folder of its month; fails if there is no record.
    ///
    /// A record that cannot be read or parsed is reported, and left out as if there were none.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    init?(of day: Day, in folder: Directory) throws {
        let reason: String
        do throws(SystemError) {
            guard let bytes = try folder.read(Layout.recordName(of: day)) else { return nil }
            if let members = try? RawJSON(bytes[...]).members(named: Self.fields) {
                self.day = day
                self.members = members
                return
            }
            reason = "its record is damaged, as “apod-mirror verify \(day)” shows"
        } catch {
            guard !error.concernsEveryFile else { throw error }
            reason = "\(error)"
        }
        warn("\(day) is left out: \(reason)")
        return nil
    }

    var title: String { members["title"]?.string ?? "" }

    /// Begins the text of this day with the title.
    func appendTitle(to text: inout SearchText) { text.begin(with: members["title"]) }

    func appendOtherTexts(to text: inout SearchText) {
        for field in ["explanation", "credit", "copyright"] { text.append(members[field]) }
    }

    /// The path of the picture, or else of the video, relative to the mirror; `nil` if neither is there.
    func mediaPath(in tree: Tree) -> String? {
        let paths = ["picture", "video"].lazy.compactMap { Self.path(of: members[$0]) }
        return paths.first { Layout.isPath($0, inPicturesOf: day) && !tree.hasLost($0) }
    }

    /// The path of a picture or video in a record; `nil` if there is none, or if `--keep` has deleted the file.
    private static func path(of file: RawJSON?) -> String? {
        guard let members = try? file?.members(named: ["path", "removed"]),
            members["removed"] == nil
        else { return nil }
        return members["path"]?.string
    }
}
