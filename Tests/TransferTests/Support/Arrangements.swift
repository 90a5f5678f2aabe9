import Glibc
import Platform
import TestSupport

@testable import Transfer

extension RequestAttempts {
    /// The standard policy with shorter pauses.
    static let quick = RequestAttempts(
        backoff: Backoff(first: .milliseconds(1), factor: 2, longest: .seconds(1)))
    static let once = RequestAttempts(maximum: 1)
}

extension ScriptedServer {
    /// A client of this server.
    func client(
        retry: RequestAttempts = .quick, limits: RequestLimits = .standard, pace: Duration = .zero,
        width: Int = 2, bandwidth: Bandwidth? = nil, clock: any Clock<Duration> = LoopClock(),
        hosts: HostPauses = HostPauses(),
        environment: NetworkEnvironment = NetworkEnvironment { _ in nil }
    ) -> Client {
        Client(
            agent: "test/1", policy: AddressPolicy(upstream: WebURL(stringLiteral: address("/"))),
            retry: retry, limits: limits, pace: pace, width: width, bandwidth: bandwidth,
            clock: clock, hosts: hosts, environment: environment)
    }

    /// Downloads into a new file that contains `before`.
    func download(
        _ path: String = "/file", with client: Client? = nil, over before: String = "",
        limit: Int = 1 << 20,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> (downloaded: DownloadResult, file: [UInt8]) {
        try await download(
            at: address(path), with: client ?? self.client(), over: before,
            limit: limit, progress: progress)
    }

    /// The same for any address.
    func download(
        at address: String, with client: Client, over before: String = "",
        limit: Int = 1 << 20,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> (downloaded: DownloadResult, file: [UInt8]) {
        try await withTemporaryFolder { folder in
            let name = "\(folder)/file"
            let file = try FileDescriptor(opening: name, O_RDWR | O_CREAT)
            try file.write(Array(before.utf8), path: name)
            let downloaded = try await client.download(
                address, into: file, path: name, limit: limit,
                progress: progress)
            let copy = try FileDescriptor(opening: name, O_RDONLY)
            return (downloaded, try copy.readToEnd(limit: 1 << 26, path: name))
        }
    }
}

/// The error that `body` throws, `nil` if it throws none.
func failure(
    of body: () async throws -> Void
) async -> TransferError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? TransferError
    }
}

/// Bytes that are different at each position.
func noise(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += noisePeriod.prefix(count - bytes.count) }
    return bytes
}

/// The bytes until they repeat: megabytes are copied from here, which takes a hundredth of the time.
private let noisePeriod = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

func digest(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexDigest()
}
