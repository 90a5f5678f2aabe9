internal import Glibc

/// A numeric address of IPv4 or IPv6, and whether a request to it could reach a private network.
///
/// ``AddressPolicy`` forbids such requests: a server on the internet must not make this machine read from a
/// router or from another service at home.
struct IPAddress: Hashable, Sendable {
    /// The kinds of addresses that are not of the public internet, as the end of a sentence.
    enum NonpublicKind: String, Sendable {
        case linkLocal = "a link-local address"
        case loopback = "a loopback address"
        case multicast = "a multicast address"
        case `private` = "a private address"
        case reserved = "a reserved address"
        case unspecified = "an unspecified address"
    }

    /// Four or sixteen, in network order.
    let bytes: [UInt8]

    /// Parses the usual spelling, also in the brackets of a URL; see inet_pton(3).
    init?(_ text: String) {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let text = isBracketed ? String(text.dropFirst().dropLast()) : text
        var buffer = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &buffer) == 1 {
            bytes = Array(buffer[..<4])
        } else if unsafe inet_pton(AF_INET6, text, &buffer) == 1 {
            bytes = buffer
        } else {
            return nil
        }
    }

    init(bytes: [UInt8]) {
        precondition([4, 16].contains(bytes.count))
        self.bytes = bytes
    }

    /// `nil` for a public address.
    ///
    /// An IPv6 address that contains an IPv4 address has the kind of the latter.
    var nonpublicKind: NonpublicKind? {
        if let special = Self.specialNetworks.first(where: { $0.network.contains(self) }) {
            return special.kind
        }
        guard let carrier = Self.carriers.first(where: { $0.network.contains(self) }) else {
            return nil
        }
        return IPAddress(bytes: Array(bytes[carrier.offset..<carrier.offset + 4])).nonpublicKind
    }

    /// All addresses whose first `bits` are those of `prefix`.
    private struct Network {
        let prefix: [UInt8]
        let bits: Int

        init(_ text: String, _ bits: Int) {
            guard let address = IPAddress(text) else {
                preconditionFailure("\(text) is no address")
            }
            prefix = address.bytes
            self.bits = bits
        }

        func contains(_ address: IPAddress) -> Bool {
            let bytes = address.bytes
            guard bytes.count == prefix.count else { return false }
            let (whole, rest) = (bits / 8, bits % 8)
            guard bytes[..<whole] == prefix[..<whole] else { return false }
            return rest == 0 || (bytes[whole] ^ prefix[whole]) >> UInt8(8 - rest) == 0
        }
    }

    /// The special-purpose address registries of RFC 6890, and multicast.
    ///
    /// Networks for carriers and for benchmarks count as private: they are used within networks. Of 2001::/23 and
    /// 192.0.0.0/24, the few public addresses have no pictures.
    private static let specialNetworks: [(network: Network, kind: NonpublicKind)] = [
        (Network("0.0.0.0", 8), .unspecified),
        (Network("10.0.0.0", 8), .private),
        (Network("100.64.0.0", 10), .private),  // Carriers (RFC 6598).
        (Network("127.0.0.0", 8), .loopback),
        (Network("169.254.0.0", 16), .linkLocal),
        (Network("172.16.0.0", 12), .private),
        (Network("192.0.0.0", 24), .reserved),  // Protocol assignments.
        (Network("192.0.2.0", 24), .reserved),  // Documentation.
        (Network("192.88.99.0", 24), .reserved),  // Relays of 6to4, given up (RFC 7526).
        (Network("192.168.0.0", 16), .private),
        (Network("198.18.0.0", 15), .private),  // Benchmarks (RFC 2544).
        (Network("198.51.100.0", 24), .reserved),  // Documentation.
        (Network("203.0.113.0", 24), .reserved),  // Documentation.
        (Network("224.0.0.0", 4), .multicast),
        (Network("240.0.0.0", 4), .reserved),
        (Network("::", 128), .unspecified),
        (Network("::1", 128), .loopback),
        (Network("64:ff9b:1::", 48), .private),  // NAT64 within a network (RFC 8215).
        (Network("100::", 64), .reserved),  // Discarded (RFC 6666).
        (Network("2001::", 23), .reserved),  // Protocol assignments, such as Teredo and benchmarks.
        (Network("2001:db8::", 32), .reserved),  // Documentation.
        (Network("3fff::", 20), .reserved),  // Documentation.
        (Network("5f00::", 16), .reserved),  // Segment routing (RFC 9602).
        (Network("fc00::", 7), .private),
        (Network("fe80::", 10), .linkLocal),
        (Network("fec0::", 10), .private),  // Site-local, given up (RFC 3879).
        (Network("ff00::", 8), .multicast),
    ]

    /// IPv6 networks whose addresses contain an IPv4 address at `offset`.
    private static let carriers = [
        (network: Network("::", 96), offset: 12),  // IPv4-compatible.
        (network: Network("::ffff:0:0", 96), offset: 12),  // IPv4-mapped.
        (network: Network("::ffff:0:0:0", 96), offset: 12),  // IPv4-translated.
        (network: Network("64:ff9b::", 96), offset: 12),  // NAT64 (RFC 6052).
        (network: Network("2002::", 16), offset: 2),  // 6to4 (RFC 3056).
    ]
}
