import Glibc
import Platform
import ProgramTesting
import Simulator

/// Serves entries and pictures with invalid certificates, which must be rejected, and with a valid one.
///
/// openssl(1) creates the certificates. In its own namespace, the program trusts their CA.
enum TLSPart: Part {
    static let name = "tls"

    static var obstacle: String? {
        if !FaultShim.isPossible { return "no C compiler" }
        if unsafe system("openssl version >/dev/null 2>&1") != 0 { return "no openssl" }
        if unsafe access(bundle, R_OK) != 0 { return "no \(bundle)" }
        return unsafe system("unshare -Urm true 2>/dev/null") == 0 ? nil : "this user may not mount"
    }

    /// The CA bundle of libcurl.
    private static let bundle = "/etc/ssl/certs/ca-certificates.crt"
    private static let options = ["--since", "4d", "--thumbnails", "no"]

    private enum Certificate: String, CaseIterable {
        case valid, expired, future, otherHost, otherName, selfSigned, otherAuthority

        var names: String {
            switch self {
            case .otherHost: "IP:127.0.0.2"
            case .otherName: "DNS:apod.nasa.gov"
            default: "IP:127.0.0.1"
            }
        }

        /// The start of its validity, from now.
        var seconds: Int {
            switch self {
            case .expired: -3 * 86_400
            case .future: 3 * 86_400
            default: 0
            }
        }
    }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let folder = rig.site.folder
            try await makeAuthorities(rig)
            try await rig.sync("\(folder)/before", options + ["--since", "2d"])
            try await rig.copy("\(folder)/before", to: "\(folder)/whole")
            try await rig.sync("\(folder)/whole", options)
            let before = try rig.site.tree("\(folder)/before")
            let oracle = Oracle(
                whole: try rig.site.tree("\(folder)/whole"), earlier: [before], canary: rig.canary)
            for certificate in Certificate.allCases where trials.hasTime {
                try await rig.copy("\(folder)/before", to: "\(folder)/trial")
                trials.record(
                    try await violations(of: certificate, rig, oracle, before), in: "\(certificate)"
                )
            }
            if trials.count == Certificate.allCases.count {
                trials.add(1, to: "passes over all certificates")
            }
        }
    }

    private static func violations(
        of certificate: Certificate, _ rig: Rig, _ oracle: Oracle, _ before: TreeImage
    ) async throws -> [String] {
        let root = "\(rig.site.folder)/trial"
        let settings = Simulator.Settings(certificate: try await make(certificate, rig))
        let (secure, requests) = try await withSite(days: 4, settings: settings) { site in
            let words = ["run", "--once", "-q"] + site.settings(root: root) + options
            let program = try Program(
                [
                    "unshare", "-Urm", "sh", "-c",
                    "mount --bind '\(rig.site.folder)/authority.pem' \(bundle) && exec \"$@\"",
                    "sh",
                    Program.path,
                ] + words, environment: ["HOME": "\(root).home"])
            return (try await program.end(), site.simulator.requests.count)
        }
        let half = try rig.site.tree(root)
        guard certificate != .valid else {
            return secure.code == 0 && half.complete == oracle.whole.complete && half.damage == []
                ? [] : ["a valid certificate is refused: \(secure)"]
        }
        var violations = oracle.violations(
            in: half, after: .init(days: before.complete, favorites: [], possibleFavorites: []))
        violations += oracle.violations(of: secure, in: half)
        if requests > 0 { violations.append("\(requests) requests were sent") }
        rig.site.simulator.resetLog()
        let clean = try await rig.run(["run", "--once", "-q"], root, options)
        violations += oracle.violations(
            in: try rig.site.tree(root), afterCleanStart: clean, from: half,
            rig.site.simulator.requests)
        if !violations.isEmpty { violations.append("the faulty run: \(secure)") }
        return violations
    }

    private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

    private static func makeAuthorities(_ rig: Rig) async throws {
        for name in ["authority", "other"] {
            try await rig.shell(
                """
                cd '\(rig.site.folder)' && openssl req -x509 \(newKey) -days 9 -subj /CN=\(name) \
                -keyout \(name).key -out \(name).pem 2>&1
                """)
        }
    }

    private static func make(
        _ certificate: Certificate, _ rig: Rig
    ) async throws -> (chain: String, key: String) {
        let authority = certificate == .otherAuthority ? "other" : "authority"
        let subject =
            "-subj /CN=server -addext subjectAltName=\(certificate.names) -keyout server.key"
        let clock = rig.shim.clock(ahead: certificate.seconds).map { "\($0)='\($1)'" }
        try await rig.shell(
            certificate == .selfSigned
                ? "cd '\(rig.site.folder)' && openssl req -x509 \(newKey) \(subject) -out server.pem 2>&1"
                : """
                cd '\(rig.site.folder)' && openssl req \(newKey) \(subject) -out server.csr 2>&1 \
                && \(clock.joined(separator: " ")) openssl x509 -req -in server.csr -days 1 \
                -CA \(authority).pem -CAkey \(authority).key -CAcreateserial -copy_extensions copy \
                -out server.pem 2>&1
                """)
        let folder = try Directory(opening: rig.site.folder)
        func text(_ name: String) throws -> String {
            String(decoding: try folder.read(name) ?? [], as: UTF8.self)
        }
        return (chain: try text("server.pem"), key: try text("server.key"))
    }
}
