import Glibc
import Platform

/// A setting of the kernel, which a test changes temporarily.
///
/// Restore it after a killed test: `sysctl fs.inotify.max_queued_events=16384`.
struct KernelSetting {
    private let path: String
    private let original: [UInt8]

    init(_ name: String) throws {
        path = "/proc/sys/\(name)"
        original = try FileDescriptor(opening: path, O_RDONLY).readToEnd(limit: 64, path: path)
    }

    private func write(_ bytes: [UInt8]) throws {
        try FileDescriptor(opening: path, O_WRONLY).write(bytes, path: path)
    }

    /// Runs `body` while the setting is `value`.
    nonisolated(nonsending) func set<Result>(
        _ value: String, _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try write(Array(value.utf8))
        defer { try? write(original) }
        return try await body()
    }
}

extension KernelSetting? {
    nonisolated(nonsending) func set<Result>(
        _ value: String, _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        guard let self else { return try await body() }
        return try await self.set(value, body)
    }
}
