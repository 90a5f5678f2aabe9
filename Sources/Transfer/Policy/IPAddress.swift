internal import Glibc

/// A numeric address of IPv4 or IPv6; says whether it lies in the public network.
struct IPAddress: Hashable, Sendable {
    /// The kinds of addresses outside of the public network.
    enum Kind: String, Sendable {
        case linkLocal = "a link-local address"
        case loopback = "a loopback address"
        case multicast = "a multicast address"
        case `private` = "a private address"
        case reserved = "a reserved address"
        case unspecified = "an unspecified address"
    }

    /// Four or sixteen, in network order.
    let bytes: [UInt8]

    /// Parses the usual spelling, IPv6 also in brackets; see inet_pton(3).
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
        self.bytes = bytes
    }

    /// `nil` in the public network.
    ///
    /// An IPv6 address that contains an IPv4 address has the kind of the latter.
    var kind: Kind? {
        if let network = Self.special.first(where: { $0.contains(bytes) }) { return network.kind }
        guard let carrier = Self.carriers.first(where: { $0.network.contains(bytes) }) else {
            return nil
        }
        return IPAddress(bytes: Array(bytes[carrier.offset..<carrier.offset + 4])).kind
    }

    private struct Network {
        let prefix: [UInt8]
        let bits: Int
        let kind: Kind?

        init(_ text: String, _ bits: Int, _ kind: Kind?) {
            guard let address = IPAddress(text) else {
                preconditionFailure("\(text) is no address")
            }
            prefix = address.bytes
            self.bits = bits
            self.kind = kind
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            guard bytes.count == prefix.count else { return false }
            let (whole, rest) = (bits / 8, bits % 8)
            guard bytes[..<whole] == prefix[..<whole] else { return false }
            return rest == 0 || (bytes[whole] ^ prefix[whole]) >> UInt8(8 - rest) == 0
        }
    }

    /// From the special-purpose address registries of RFC 6890.
    private static let special = [
        Network("0.0.0.0", 8, .unspecified), Network("10.0.0.0", 8, .private),
        Network("100.64.0.0", 10, .private), Network("127.0.0.0", 8, .loopback),
        Network("169.254.0.0", 16, .linkLocal), Network("172.16.0.0", 12, .private),
        Network("192.0.0.0", 24, .reserved), Network("192.168.0.0", 16, .private),
        Network("192.0.2.0", 24, .reserved), Network("198.18.0.0", 15, .private),
        Network("198.51.100.0", 24, .reserved), Network("203.0.113.0", 24, .reserved),
        Network("224.0.0.0", 4, .multicast),
        Network("240.0.0.0", 4, .reserved), Network("::", 128, .unspecified),
        Network("::1", 128, .loopback), Network("64:ff9b:1::", 48, .private),
        Network("100::", 64, .reserved), Network("2001::", 32, .reserved),
        Network("2001:db8::", 32, .reserved), Network("3fff::", 20, .reserved),
        Network("5f00::", 16, .reserved),
        Network("fc00::", 7, .private), Network("fe80::", 10, .linkLocal),
        Network("fec0::", 10, .private), Network("ff00::", 8, .multicast),
    ]

    /// IPv6 networks whose addresses contain an IPv4 address at `offset`: IPv4-compatible, IPv4-mapped, IPv4-translated,
    /// NAT64 (RFC 6052) and 6to4 (RFC 3056).
    private static let carriers = [
        (network: Network("::", 96, nil), offset: 12),
        (network: Network("::ffff:0:0", 96, nil), offset: 12),
        (network: Network("::ffff:0:0:0", 96, nil), offset: 12),
        (network: Network("64:ff9b::", 96, nil), offset: 12),
        (network: Network("2002::", 16, nil), offset: 2),
    ]
}
