internal import APOD
internal import Maintenance
internal import Platform

extension Verification {
    /// The most files that ``failures(ofVerifying:)`` names.
    private static let maximumFailures = 10

    /// Verifies and repairs `days` with known damage again, which a sync or an import may have repaired.
    ///
    /// - Returns: What could not be read, repaired or recorded.
    func failures(ofVerifying days: Set<Day>) -> [WriteFailure] {
        var failures: [WriteFailure] = []
        var listError = readError
        do {
            if !days.isEmpty, !Task.isCancelled {
                let outcome = try verify(days)
                failures = outcome.failures.sorted { $0.key < $1.key }
                    .map { "cannot repair \($0): \($1)" }
                    .limited(to: Self.maximumFailures) {
                        "cannot repair \(counted($0, "more file"))"
                    }
                    .map { WriteFailure(text: $0, error: nil) }
                listError = outcome.savingError
            }
        } catch {
            if !Task.isCancelled { failures.append(Self.failure(error)) }
        }
        if let listError { failures.append(Self.failure(listError)) }
        return failures
    }

    private static func failure(_ error: any Error) -> WriteFailure {
        let systemError = error as? SystemError
        let reason = systemError?.advice ?? "\(error)"
        return WriteFailure(text: "cannot verify damaged days: \(reason)", error: systemError)
    }
}
