internal import Glibc

/// A numeric address of IPv4 or IPv6, and whether a request to it could reach a private network.
///
/// ``AddressPolicy`` forbids such requests, because a server on the internet must not make this machine read from a router
/// or from another service at home.
struct IPAddress: Hashable, Sendable {
    /// Four bytes of IPv4 or sixteen of IPv6, in network order.
    let bytes: [UInt8]

    /// Parses `192.0.2.1`, `2001:db8::1`, and `[2001:db8::1]` of a URL; see inet_pton(3).
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
        precondition([4, 16].contains(bytes.count), "neither IPv4 nor IPv6")
        self.bytes = bytes
    }

    /// Whether it is on the public internet; `::ffff:192.168.0.1` is not, because the IPv4 address in it is not.
    var isPublic: Bool {
        !Self.nonpublicNetworks.contains { $0.contains(self) } && embedded?.isPublic != false
    }

    /// Whether it is this machine.
    var isLoopback: Bool {
        Self.loopbackNetworks.contains { $0.contains(self) } || embedded?.isLoopback == true
    }

    /// The IPv4 address that this IPv6 address contains; `nil` if it contains none.
    private var embedded: IPAddress? {
        let carrier = Self.carriers.first { $0.network.contains(self) }
        return carrier.map { IPAddress(bytes: Array(bytes[$0.offset..<$0.offset + 4])) }
    }

    /// Whether a proxy program such as Clash or Surge invented the address for a name, so that connections lead to the proxy.
    var isInvented: Bool { Network.ofBenchmarks.contains(self) }

    /// All addresses whose first bits are those of a prefix, such as the 8 bits of `10.0.0.0/8`.
    struct Network: ExpressibleByStringLiteral {
        /// The network for benchmarks of devices, see RFC 2544, from which proxy programs take the addresses that they invent.
        static let ofBenchmarks: Network = "198.18.0.0/15"

        private let prefix: [UInt8]
        private let bitCount: Int

        init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard parts.count == 2, let address = IPAddress(String(parts[0])),
                let bitCount = Int(parts[1]), (0...8 * address.bytes.count).contains(bitCount)
            else { return nil }
            prefix = address.bytes
            self.bitCount = bitCount
        }

        init(stringLiteral text: String) {
            guard let network = Network(text) else { preconditionFailure("\(text) is no network") }
            self = network
        }

        func contains(_ address: IPAddress) -> Bool {
            let bytes = address.bytes
            guard bytes.count == prefix.count else { return false }
            let (wholeBytes, remainingBits) = (bitCount / 8, bitCount % 8)
            guard bytes[..<wholeBytes] == prefix[..<wholeBytes] else { return false }
            guard remainingBits > 0 else { return true }
            let difference = bytes[wholeBytes] ^ prefix[wholeBytes]
            return difference >> UInt8(8 - remainingBits) == 0
        }
    }

    private static let loopbackNetworks: [Network] = ["127.0.0.0/8", "::1/128"]

    /// The special-purpose address registries of RFC 6890, multicast, and networks that are no longer used.
    private static let nonpublicNetworks: [Network] = [
        // Of this machine, of a link, multicast, unspecified.
        "127.0.0.0/8", "::1/128", "169.254.0.0/16", "fe80::/10", "224.0.0.0/4", "ff00::/8",
        "0.0.0.0/8", "::/128",
        // Private.
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10",
        // Of carriers, of benchmarks, and NAT64 within a network.
        "100.64.0.0/10", .ofBenchmarks, "64:ff9b:1::/48",
        // Documentation.
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20",
        // Protocol assignments, such as Teredo: the few public ones among them have no pictures.
        "192.0.0.0/24", "2001::/23",
        // Relays of 6to4, future use, discarded, segment routing.
        "192.88.99.0/24", "240.0.0.0/4", "100::/64", "5f00::/16",
    ]

    /// IPv6 networks whose addresses contain an IPv4 address at `offset`.
    private static let carriers: [(network: Network, offset: Int)] = [
        ("::/96", 12),  // IPv4-compatible.
        ("::ffff:0:0/96", 12),  // IPv4-mapped.
        ("::ffff:0:0:0/96", 12),  // IPv4-translated.
        ("64:ff9b::/96", 12),  // NAT64 (RFC 6052).
        ("2002::/16", 2),  // 6to4 (RFC 3056).
    ]
}

extension IPAddress: CustomStringConvertible {
    /// The usual spelling; see inet_ntop(3).
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        let spelling = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: spelling, as: UTF8.self)
    }
}
