internal import APOD
internal import Mirror
internal import Platform

/// The XMP sidecars beside the pictures, `NAME.jpg.xmp`: what photo managers show of a picture, from records and favorites.
///
/// One is made if none is there, and made again as long as nobody else wrote into it.
struct SidecarsView: View {
    static let title = "the sidecars"
    private let digests = DailyFileDigests(at: "\(Layout.views)/sidecars-months.json")

    init?(_ settings: ViewSettings) {
        guard settings.writesSidecars else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        let files = input.files(of: .sidecars)
        return try await digests.update(
            input.snapshot.days.months.map { SidecarMonth(days: $0, input: input, files: files) },
            in: input.store)
    }
}

/// Brings the sidecars of one month up to date.
private struct SidecarMonth: DailyFileMonth {
    let days: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput
    let files: ViewFiles

    var digest: String {
        var digest = InputDigest()
        for index in days.indices {
            digest.add(days[index].day.number)
            digest.add(days[index].record)
            digest.add(input.favorites.contains(days[index].day) ? 1 : 0)
            digest.addMedia(of: days[index])
        }
        return digest.text
    }

    func update(_ outcome: inout ViewOutcome) throws(SystemError) {
        var wanted: [ViewFiles.File] = []
        // Those of a picture that `--keep` removed, or that NASA replaced by one of another type.
        var outdated: [String] = []
        for dayFiles in days where dayFiles.record != nil {
            guard let record = readRecord(of: dayFiles.day, &outcome) else { continue }
            let media = dayFiles.media.map(\.path)
            let sidecars = record.files.map(\.path).filter {
                media.contains($0) && Layout.isPath($0, inPicturesOf: dayFiles.day)
            }.map { $0 + Layout.sidecarExtension }
            let isFavorite = input.favorites.contains(dayFiles.day)
            wanted += sidecars.map {
                ViewFiles.File(path: $0, bytes: Sidecar(record, isFavorite: isFavorite).bytes)
            }
            outdated += media.filter {
                $0.hasSuffix(Layout.sidecarExtension) && !sidecars.contains($0)
            }
        }
        // What a photo manager or a person wrote stays, and is no problem.
        outcome.addChanges(try files.remove(outdated))
        outcome.addChanges(try files.publish(wanted))
    }

    /// The record of `day`; one that the disk cannot read now is a problem, so that its month is read again.
    private func readRecord(of day: Day, _ outcome: inout ViewOutcome) -> DayRecord? {
        do {
            return try input.store.record(of: day)
        } catch {
            outcome.problems.append("\(error)")
            return nil
        }
    }
}
