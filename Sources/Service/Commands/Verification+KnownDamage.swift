internal import APOD
internal import Maintenance
internal import Platform

extension Verification {
    /// The most files that ``failures(ofVerifying:)`` names.
    private static let maximumFailures = 10

    /// Verifies and repairs `days` with known damage again, which a sync or an import may have repaired.
    ///
    /// - Returns: What could not be read or repaired.
    func failures(ofVerifying days: () throws -> Set<Day>) -> [WriteFailure] {
        do {
            let days = try days()
            guard !days.isEmpty, !Task.isCancelled else { return [] }
            return try verify(days).failures.sorted { $0.key < $1.key }
                .map { "cannot repair \($0): \($1)" }
                .limited(to: Self.maximumFailures) { "cannot repair \(counted($0, "more file"))" }
                .map { WriteFailure(text: $0, error: nil) }
        } catch {
            guard !Task.isCancelled else { return [] }
            let systemError = error as? SystemError
            let reason = systemError?.advice ?? "\(error)"
            return [
                WriteFailure(text: "cannot verify damaged days: \(reason)", error: systemError)
            ]
        }
    }
}
