internal import APOD
package import Mirror
package import Platform

/// How the chosen pictures get into the mirror.
extension Adoption {
    /// Checks the chosen pictures without writing anything.
    package func preview() throws(SystemError) {
        try forEachCandidate { day, candidate throws(SystemError) in
            try check(completeFile(candidate), day, candidate)
        }
    }

    /// Adopts the chosen pictures; each is durable before it is reported.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk is full. The adopted pictures stay, and the next
    ///   adoption continues.
    package func carryOut(in store: Store) throws(SystemError) {
        try forEachCandidate { day, candidate throws(SystemError) in
            try isOwn ? move(candidate, day, in: store) : adopt(candidate, day, in: store)
        }
        try requestAdoptedDays(in: store)
    }

    /// Deletes the retries of the adopted days, so that the next sync requests these.
    private func requestAdoptedDays(in store: Store) throws(SystemError) {
        let days = try store.adoptedDays()
        var state = try store.state()
        let retries = state.retries.filter { !days.contains($0.key) }
        guard retries.count < state.retries.count else { return }
        state.retries = retries
        try store.save(state)
    }

    /// Calls `body` for each candidate, and reports those as adopted for which it returns true.
    ///
    /// - Throws: ``SystemError`` if the disk is full or read-only; other errors are reported.
    private func forEachCandidate(
        _ body: (Day, Candidate) throws(SystemError) -> Bool
    ) throws(SystemError) {
        for (day, candidate) in candidates.sorted(by: { $0.key < $1.key }) {
            let path = Self.text(candidate.path)
            do throws(SystemError) {
                guard try body(day, candidate) else { continue }
                report(
                    .adopted(
                        path: path, day: day, by: candidate.recognition, bytes: candidate.bytes))
            } catch {
                if error.isNoSpace || error.isReadOnly { throw error }
                report(.failed(path: path, error: error))
            }
        }
    }

    private func completeFile(_ candidate: Candidate) throws(SystemError) -> CompleteFile? {
        try CompleteFile(source.openToRead(candidate.path), path: Self.text(candidate.path))
    }

    /// Whether `file` may be adopted; reports the reason if not, such as `nil` for a file that was cut.
    private func check(_ file: CompleteFile?, _ day: Day, _ candidate: Candidate) -> Bool {
        guard let file, file.header.type.isPicture else {
            reject(candidate.path, "truncated, or changed meanwhile")
            return false
        }
        if case .lost(let picture) = index[day],
            // mutation test: adopted-hash
            picture.sha256 != file.sha256
        {
            reject(
                candidate.path, "not the picture that the record of \(day) names; it is downloaded")
            return false
        }
        return true
    }

    /// Copies a picture from elsewhere; returns whether it was adopted.
    private func adopt(
        _ candidate: Candidate, _ day: Day, in store: Store
    ) throws(SystemError) -> Bool {
        let original = try source.openToRead(candidate.path)
        let path = Self.text(candidate.path)
        guard try original.status(path: path).kind == .file else {
            reject(candidate.path, "not a regular file")
            return false
        }
        let draft = try store.draft("\(day).adopted")
        try store.copy(original, into: draft)
        // The copy is checked: the original may change meanwhile.
        let copy = try CompleteFile(draft.file, path: draft.path)
        guard check(copy, day, candidate), let copy else { return false }
        if case .lost(let picture) = index[day], let record = try store.record(of: day) {
            draft.file.setAttributes(of: record, from: picture.origin)
        } else if candidate.recognition == .name,
            let address = index.addresses(named: Layout.split(path).name)[day]
        {
            draft.file.setAttribute("user.xdg.origin.url", address)
        }
        try draft.file.setModified(day.noon, path: draft.path)
        let (folder, name) = target(of: day, copy)
        try draft.publish(in: try store.tree.root.makeDirectory(folder), as: name)
        return true
    }

    /// Where the picture of `day` belongs: at its recorded path, else in `adopted/`.
    private func target(of day: Day, _ file: CompleteFile) -> (folder: String, name: String) {
        if case .lost(let picture) = index[day] { return Layout.split(picture.path) }
        return (Layout.adopted, "\(day).\(file.header.type.fileExtension)")
    }

    /// Moves a picture of the mirror to its place; returns whether it did.
    private func move(
        _ candidate: Candidate, _ day: Day, in store: Store
    ) throws(SystemError) -> Bool {
        let file = try completeFile(candidate)
        guard check(file, day, candidate), let file else { return false }
        let (folderPath, newName) = target(of: day, file)
        let folder = try store.tree.root.makeDirectory(folderPath)
        try source.moveDurably(candidate.path, to: folder, as: newName)
        return true
    }
}
