internal import FoundationEssentials
internal import Platform

/// Removes the files of a day, and returns them from the trash.
extension DayPublisher {
    /// Moves the files of the day to the trash, and records that.
    ///
    /// - Returns: The bytes of picture and video; `nil` if there is no file that is as recorded.
    /// - Throws: ``SystemError``, as ``publish(_:_:after:)`` does.
    func remove(at now: Date) throws(SystemError) -> Int? {
        try resume()
        guard let earlier = try store.record(of: day) else { return nil }
        var record = earlier
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier.file(kind),
                let status = try root.status(file.path), status.kind == .file
            else { continue }
            // A user's own file in that place is not ours, also not one of the same size.
            // mutation test: removed-hash
            guard try root.hasContents(of: file, at: file.path) == true else { return nil }
            record.setRemoved(kind, now)
        }
        guard earlier.removed == nil, record.removed != nil else { return nil }
        try publish(record, after: earlier)
        return earlier.bytes
    }

    /// Returns the removed files of the day from the trash, and records that.
    ///
    /// - Returns: The new record; `nil` if the day was not removed or is not in the trash.
    /// - Throws: ``SystemError``, as ``publish(_:_:after:)`` does.
    func returnFromTrash() throws(SystemError) -> DayRecord? {
        try resume()
        guard let earlier = try store.record(of: day), earlier.removed != nil else { return nil }
        var record = earlier
        var sources: [DayRecord.FileKind: String] = [:]
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier.removedFile(kind) else { continue }
            if try root.hasContents(of: file, at: file.path) != true {
                guard let source = try store.trashedFile(file, of: day) else { continue }
                sources[kind] = source
            }
            record.setRemoved(kind, nil)
        }
        guard record.removed == nil else { return nil }
        do {
            for (kind, source) in sources {
                try store.duplicate(source, to: staging, as: staged(kind), of: day)
            }
        } catch {
            discard()
            throw error
        }
        try publish(record, after: earlier)
        return record
    }
}
