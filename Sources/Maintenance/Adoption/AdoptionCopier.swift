internal import APOD
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// Copies one picture of each day that an ``Adoption`` has found into the mirror, and reports all of them.
struct AdoptionCopier {
    /// Why a picture is not adopted, for a person.
    private struct Rejection: Error {
        let reason: String
    }

    let source: Directory
    let index: AdoptionIndex
    /// The mirror into which pictures are copied; without one, they are only checked.
    let store: Store?
    let report: (AdoptionEvent) -> Void

    /// Copies one of the `candidates` of each day, the best of which is the first.
    ///
    /// - Throws: ``SystemError``, such as `ENOSPC`, if it would meet every other picture, too.
    func adopt(_ candidates: [Day: [Adoption.Candidate]]) throws(SystemError) {
        // This comes before the copies, in case the adoption is interrupted.
        if let store {
            do throws(SystemError) {
                try makeDue(Set(candidates.keys), in: store)
            } catch  where !error.isReadOnly && !error.concernsEveryFile {
                report(.failed(path: Layout.state, error: error))
            }
        }
        for (_, pictures) in candidates.sorted(by: { $0.key < $1.key }) {
            try adoptFirst(of: pictures)
        }
    }

    /// Copies the first of `pictures`, all of one day, that is not rejected, and reports why the other ones are not copied.
    ///
    /// After one that fails, no other one is copied, because the failed one may be the original, and the other one an edit.
    private func adoptFirst(of pictures: [Adoption.Candidate]) throws(SystemError) {
        var reasonAgainstOthers: String?
        for picture in pictures {
            let path = picture.path.text
            if let reasonAgainstOthers {
                report(.unrecognized(path: path, reason: reasonAgainstOthers))
                continue
            }
            do throws(SystemError) {
                let rejection =
                    if let store { try copy(picture, into: store) } else { try preview(picture) }
                if let rejection {
                    report(.unrecognized(path: path, reason: rejection.reason))
                } else {
                    report(.adopted(path: path, day: picture.day, bytes: picture.bytes))
                    // The next sync may still move it to `aside/`.
                    reasonAgainstOthers = "“\(path)” was chosen for \(picture.day)"
                }
            } catch {
                if error.concernsEveryFile || error.isReadOnly { throw error }
                report(.failed(path: path, error: error))
                reasonAgainstOthers = "“\(path)” was chosen for \(picture.day), and failed"
            }
        }
    }

    /// Makes `days`, and those of the pictures in `adopted/`, due for the next sync: it might be weeks otherwise.
    ///
    /// The retries keep their reasons and their starts, because the sync may still reject a picture.
    private func makeDue(_ days: Set<Day>, in store: Store) throws(SystemError) {
        let days = try store.adoptedDays().union(days)
        let saved = try store.state()
        var state = saved
        for (day, retry) in saved.retries where days.contains(day) {
            state.retries[day]?.next = min(retry.next, retry.last)
        }
        guard state != saved else { return }
        try store.save(state)
    }

    /// Copies a picture to the path in the record of its day, else into `adopted/`, where it replaces nothing.
    ///
    /// - Returns: `nil` if the picture was adopted.
    private func copy(
        _ picture: Adoption.Candidate, into store: Store
    ) throws(SystemError) -> Rejection? {
        let day = picture.day
        let original = try source.openToRead(picture.path)
        guard try original.status(path: picture.path.text).kind == .file else {
            return Rejection(reason: "not a regular file")
        }
        let draft = try store.makeDraft("\(day).adopted")
        try store.copy(original, into: draft)
        let type: MediaType
        // The copy is checked, because the original may change meanwhile.
        switch try check(draft.file, path: draft.path, for: day) {
        case .success(let checkedType): type = checkedType
        case .failure(let rejection): return rejection
        }
        let (folder, name, modified) = try destination(ofPictureOf: day, type, in: store)
        draft.file.setModified(modified)
        do throws(SystemError) {
            try draft.publishNew(in: store.tree.root.makeDirectory(folder), as: name)
            return nil
        } catch  where error.code == EEXIST {
            let path = "\(folder)/\(name)"
            return Rejection(reason: "\(path) is another file or a link, which is not replaced")
        }
    }

    /// Returns what ``copy(_:into:)`` would return for the same file, and copies nothing.
    private func preview(_ picture: Adoption.Candidate) throws(SystemError) -> Rejection? {
        let original = try source.openToRead(picture.path)
        switch try check(original, path: picture.path.text, for: picture.day) {
        case .success: return nil
        case .failure(let rejection): return rejection
        }
    }

    /// Checks the whole contents of a file that is to be the picture of `day`.
    ///
    /// The scan has read only the header, and the file may have changed since.
    private func check(
        _ file: borrowing FileDescriptor, path: String, for day: Day
    ) throws(SystemError) -> Result<MediaType, Rejection> {
        guard let file = try CheckedFile(file, path: path), file.header.type.isPicture else {
            return .failure(Rejection(reason: "truncated, or changed meanwhile"))
        }
        if case .lost(let picture) = index[day],
            // mutation test: adopted-hash (see Tests/Mutants)
            picture.sha256 != file.sha256
        {
            let reason = "not the picture that the record of \(day) names; it is downloaded"
            return .failure(Rejection(reason: reason))
        }
        return .success(file.header.type)
    }

    /// The place of the recorded picture if it is lost, else one in `adopted/`; and the modification time of the copy.
    private func destination(
        ofPictureOf day: Day, _ type: MediaType, in store: Store
    ) throws(SystemError) -> (folder: String, name: String, modified: Int) {
        guard case .lost(let picture) = index[day] else {
            return (Layout.adopted, "\(day).\(type.fileExtension)", day.noon)
        }
        let (folder, name) = Layout.split(picture.path)
        return (folder, name, try store.record(of: day)?.fileTime ?? day.noon)
    }
}
