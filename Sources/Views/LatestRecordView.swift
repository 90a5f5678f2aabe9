internal import Mirror
internal import Platform

/// `latest.json`: the record of the newest day that has a picture or a video.
///
/// The views before this one are updated first, so that a program that waits for `latest.json` finds their files up to date.
/// `latest.jpg` is another view: if it cannot be updated, the new day is announced nevertheless.
package struct LatestRecordView: View {
    package static let title = "latest.json"
    package static let showsFavorites = false

    /// No setting concerns this view.
    package init(_: ViewSettings = ViewSettings()) {}

    package func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        var records = input.newestRecords
        while let record = try records.next() {
            // A file that cannot be examined may be here, so that it does not hide the day.
            guard record.files.contains(where: { !input.store.tree.hasLost($0.path) }) else {
                continue
            }
            // If the record was removed a moment ago, the next update finds another one.
            if let bytes = try input.root.read(Layout.recordPath(of: record.entry.day)) {
                let file = ViewFiles.File(path: Layout.latestRecord, bytes: bytes)
                outcome.add(try input.files(of: .latest).publish([file]), in: input.root)
                outcome.shownDay = record.entry.day
            }
            break
        }
        return outcome
    }
}
