import APOD
import JSON
import Simulator
import Transfer

/// 2026-11-20, from which the other days are counted.
let today = Day(iso: "2026-11-20") ?? .first

extension Archive {
    /// Small pictures, because their contents do not matter.
    static func small(days: Int, extras: Extras = .all) -> Archive {
        .generated(newest: today, days: days, size: (60, 40), extras: extras)
    }
}

extension Simulator {
    /// The body of a response of any status.
    func body(_ path: String) async throws -> [UInt8] {
        let client = Client(
            agent: "test", policy: AddressPolicy(upstream: WebURL(stringLiteral: origin)),
            pace: .zero, width: 1, hosts: HostPauses())
        do {
            return try await client.get(origin + path).body
        } catch TransferError.refused(_, _, let body) {
            return body
        }
    }

    func json(_ path: String) async throws -> JSON { try await JSON(parsing: body(path)) }
}

extension JSON {
    var keys: Set<String> { Set(members.map(\.key)) }
}
