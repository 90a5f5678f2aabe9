internal import APOD
internal import Mirror
internal import Platform

/// The sidecars of one month: a file `NAME.jpg.xmp` beside each picture, with its title and texts for photo managers.
///
/// ``SidecarsView`` updates the months whose ``digest`` has changed.
struct SidecarMonth {
    let days: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput
    let files: ViewFiles

    /// Changes whenever something changes that ``update()`` reads or writes.
    var digest: String {
        var digest = InputDigest()
        for dayFiles in days {
            digest.add(dayFiles.day.number)
            digest.add(dayFiles.record)
            digest.add(input.favorites.contains(dayFiles.day) ? 1 : 0)
            digest.addFilesInPictures(of: dayFiles)
        }
        return digest.text
    }

    /// Writes each sidecar that is outdated, and removes each that is obsolete; returns what it did.
    func update() throws(SystemError) -> ViewOutcome {
        var outcome = ViewOutcome()
        var wanted: [ViewFiles.File] = []
        // Sidecars of pictures that `--keep` removed, or that NASA replaced by pictures of another type.
        var obsolete: [String] = []
        var reader = input.recordReader
        for dayFiles in days where dayFiles.record != nil {
            let day = dayFiles.day
            guard let record = try reader.record(of: day),
                let paths = try reader.read(day, sidecarPaths(of: record, dayFiles))
            else { continue }
            let sidecar = Sidecar(record: record, isFavorite: input.favorites.contains(day))
            wanted += paths.map { ViewFiles.File(path: $0, bytes: sidecar.bytes) }
            obsolete += dayFiles.media.map(\.path).filter {
                $0.hasSuffix(Layout.sidecarExtension) && !paths.contains($0)
            }
        }
        outcome.addReadErrors(of: reader, consequence: "its sidecar is left as it is")
        // A sidecar that a photo manager or a person wrote stays, and is no problem.
        outcome.addWithoutObstructions(try files.remove(obsolete))
        outcome.addWithoutObstructions(try files.publish(wanted))
        return outcome
    }

    /// The paths of the sidecars that a day should have: one for each recorded file that is there.
    private func sidecarPaths(
        of record: DayRecord, _ dayFiles: TreeSnapshot.DayFiles
    ) throws(SystemError) -> [String] {
        var paths: [String] = []
        for path in record.files.map(\.path) where Layout.isPath(path, inPicturesOf: dayFiles.day) {
            let isThere = try dayFiles.stamp(ofFileAt: path, in: input.root) != nil
            if isThere { paths.append(path + Layout.sidecarExtension) }
        }
        return paths
    }
}
