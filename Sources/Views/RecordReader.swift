internal import APOD
internal import Mirror
internal import Platform

/// Reads the records and files of days for a view of many days, which leaves out each day that cannot be read.
struct RecordReader {
    let store: Store
    /// Why the days were left out; the files that were made from them before must stay.
    private(set) var errors: [Day: SystemError] = [:]

    /// The record of `day`; `nil` if it is damaged, or if it cannot be read, which ``errors`` then says.
    ///
    /// - Throws: The error of the disk, if memory or descriptors are used up: all days would be left out.
    mutating func record(of day: Day) throws(SystemError) -> DayRecord? {
        let store = store
        return try read(day, store.record(of: day))
    }

    /// The value that `body` reads of `day`; `nil` if it is `nil`, or if it cannot be read, which ``errors`` then says.
    ///
    /// - Throws: As ``record(of:)``.
    mutating func read<Value>(
        _ day: Day, _ body: @autoclosure () throws(SystemError) -> Value?
    ) throws(SystemError) -> Value? {
        do {
            return try body()
        } catch {
            guard !error.concernsEveryFile else { throw error }
            errors[day] = error
            return nil
        }
    }
}

/// The records of the newest days, newest first, without those that are damaged or cannot be read.
///
/// It is no `IteratorProtocol`, because reading can fail.
struct RecordIterator {
    private(set) var reader: RecordReader
    private(set) var days: ArraySlice<Day>
    /// How many more records are read; one that cannot be read counts, because a disk that fails may have no other.
    private(set) var limit: Int

    /// The next record; `nil` after the last one, or after the limit.
    ///
    /// - Throws: As ``RecordReader/record(of:)``.
    mutating func next() throws(SystemError) -> DayRecord? {
        while limit > 0, let day = days.popFirst() {
            if let record = try reader.record(of: day) {
                limit -= 1
                return record
            }
            if reader.errors[day] != nil { limit -= 1 }
        }
        return nil
    }
}

/// The records of days, newest first, for views of the newest day.
///
/// If it cannot read a record, it throws: if it skipped the day, an older day would be presented as the newest.
struct NewestRecordIterator {
    let store: Store
    let snapshot: TreeSnapshot
    /// The days whose records are not read yet.
    private(set) var days: ArraySlice<Day>

    /// The next record that is not damaged; `nil` after the last one.
    ///
    /// - Throws: The error of the disk, if the record cannot be read, or the directory of its day or of a newer day.
    mutating func next() throws(SystemError) -> DayRecord? {
        let error = snapshot.errorsHidingDays(from: days.first ?? .first).first
        // mutation test: hidden-days (see Tests/Mutants)
        if let error { throw error }
        while let day = days.popFirst() {
            if let record = try store.record(of: day) { return record }
        }
        return nil
    }
}
