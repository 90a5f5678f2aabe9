internal import Platform

/// Reads the parts of a ``StatusReport``, and collects the errors, because one unreadable file must not hide the other parts.
struct PartialReader {
    /// Each error with what to do.
    private(set) var errors: [String] = []
    private(set) var unknownParts: Set<StatusReport.Part> = []

    mutating func record(_ error: String) { errors.append(error) }

    /// Returns what `body` reads; `nil` if there is nothing, or if it cannot be read, so that `part` is unknown.
    @discardableResult
    mutating func read<Value>(
        _ part: StatusReport.Part? = nil, _ body: () throws -> Value?
    ) throws -> Value? {
        do {
            return try body()
        } catch let error as SystemError where !error.concernsEveryFile {
            record(error.advice)
            if let part { unknownParts.insert(part) }
            return nil
        }
    }
}
