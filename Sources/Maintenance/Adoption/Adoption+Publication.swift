internal import APOD
internal import Glibc
internal import MediaFormat
package import Mirror
package import Platform

/// The second half of an adoption: copies the pictures that the scan has chosen.
extension Adoption {
    /// Adopts the chosen pictures; each is durable before it is reported.
    ///
    /// Without a store, pictures are only checked and reported.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk is full. The adopted pictures stay, and the next
    ///   adoption continues.
    package func carryOut(in store: Store?) throws(SystemError) {
        if let store { try makeDue(candidates.keys, in: store) }
        for candidate in candidates.values.sorted(by: { $0.day < $1.day }) {
            let path = Self.text(candidate.path)
            do throws(SystemError) {
                guard try adopt(candidate, into: store) else { continue }
                report(.adopted(path: path, day: candidate.day, bytes: candidate.bytes))
            } catch {
                if error.isNoSpace || error.isReadOnly { throw error }
                report(.failed(path: path, error: error))
            }
        }
    }

    /// Makes the retries of `days` and of all pictures in `adopted/` due, so that the next sync requests their entries.
    ///
    /// A retry may be weeks ahead. This comes before the copies, in case the adoption is interrupted. The retry itself
    /// stays, as the picture may still be rejected: since when the day is missing, and why, is still true.
    private func makeDue(_ days: some Sequence<Day>, in store: Store) throws(SystemError) {
        let days = try store.adoptedDays().union(days)
        let saved = try store.state()
        var state = saved
        for (day, retry) in saved.retries where days.contains(day) {
            state.retries[day]?.next = min(retry.next, retry.last)
        }
        guard state != saved else { return }
        try store.save(state)
    }

    /// Returns `file` if it may be the picture of its day; else reports why not.
    ///
    /// It is `nil` if the picture failed its check.
    private func acceptOrReject(_ file: CheckedFile?, _ candidate: Candidate) -> CheckedFile? {
        // The scan chose pictures by their headers: it has not seen their ends, and the type may have changed since.
        guard let file, file.header.type.isPicture else {
            reject(candidate.path, "truncated, or changed meanwhile")
            return nil
        }
        if case .lost(let picture) = index[candidate.day],
            // mutation test: adopted-hash
            picture.sha256 != file.sha256
        {
            reject(
                candidate.path,
                "not the picture that the record of \(candidate.day) names; it is downloaded")
            return nil
        }
        return file
    }

    /// Copies a picture, to the path in the record of its day, else into `adopted/`, where it replaces nothing; returns
    /// whether it was adopted.
    private func adopt(
        _ candidate: Candidate, into store: Store?
    ) throws(SystemError) -> Bool {
        let (day, path) = (candidate.day, Self.text(candidate.path))
        let original = try source.openToRead(candidate.path)
        guard let store else {
            return acceptOrReject(try CheckedFile(original, path: path), candidate) != nil
        }
        guard try original.status(path: path).kind == .file else {
            reject(candidate.path, "not a regular file")
            return false
        }
        let draft = try store.draft("\(day).adopted")
        try store.copy(original, into: draft)
        // The copy is checked: the original may change meanwhile.
        let copied = try CheckedFile(draft.file, path: draft.path)
        guard let file = acceptOrReject(copied, candidate) else { return false }
        var modified = day.noon
        var place = (folder: Layout.adopted, name: "\(day).\(file.header.type.fileExtension)")
        if case .lost(let picture) = index[day] {
            modified = try store.record(of: day)?.fileTime ?? modified
            place = Layout.split(picture.path)
        }
        draft.file.setModified(modified)
        do throws(SystemError) {
            let folder = try store.tree.root.makeDirectory(place.folder)
            try draft.publishNew(in: folder, as: place.name)
            return true
        } catch  where error.code == EEXIST {
            reject(
                candidate.path,
                "\(place.folder)/\(place.name) is another file or a link, which is not replaced")
            return false
        }
    }
}
