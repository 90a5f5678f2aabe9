import Glibc
import TestSupport
import Testing

extension WholeProgram {
    /// Floods that outlive the process, from a server and in `favorites/`.
    @Suite(.timeLimit(.minutes(10))) struct FloodTests {
        private static let mayTrust =
            unsafe geteuid() == 0
            && system("openssl version >/dev/null && unshare -m true") == 0

        /// A server at port `$2`, with its files in `$1`, that sends frames of HTTP/2 without an end.
        ///
        /// They are of type PRIORITY, about an idle stream; see RFC 9113, 6.3. It reports each 7 MB, which is more than all
        /// buffers hold.
        private static let server = #"""
            set -eu
            cd "$1"
            openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1 \
                -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem 2>/dev/null
            printf '\0\0\0\4\0\0\0\0\0' >settings
            printf '\0\0\5\2\0\0\0\0\3\0\0\0\0\20' >frames
            for doubling in $(seq 19); do cat frames frames >more; mv more frames; done
            mkfifo input
            { cat settings; while cat frames; do echo sent >&2; done; } >input &
            openssl s_server -accept "127.0.0.1:$2" -cert certificate.pem -key key.pem -alpn h2 -quiet \
                <input >/dev/null &
            until grep --quiet "0100007F:$(printf %04X "$2") 00000000:0000 0A" /proc/net/tcp; do sleep 0.1; done
            echo listening >&2
            wait
            """#

        @Test(.enabled(if: mayTrust, "needs openssl, and mounts a certificate of its own"))
        func aSignalEndsTheDaemonInAFloodOfFrames() async throws {
            try await withMirroredSite { site in
                let port = try freePort()
                let flood = try Program(
                    ["sh", "-c", Self.server, "sh", site.folder, "\(port)"], environment: [:])
                try await flood.errors.wait(for: "listening")
                let trusting = """
                    mount --bind "$0" /etc/ssl/certs/ca-certificates.crt && exec "$@"
                    """
                // The last of an option counts.
                let options = site.settings() + ["--upstream", "https://127.0.0.1:\(port)/list"]
                let program = try Program(
                    ["unshare", "-m", "sh", "-c", trusting, "\(site.folder)/certificate.pem"]
                        + [Program.path, "run"] + options,
                    environment: ["HOME": site.home])
                try await flood.errors.wait(for: "sent\nsent\n")

                let ending = try await program.stop()

                #expect(ending.code == 0, "\(ending)")
                withExtendedLifetime(flood) {}
            }
        }

        /// Each of 500 files is written again and again.
        @Test func aSignalEndsTheDaemonInAFloodOfFiles() async throws {
            try await withSite { site in
                let program = try await site.daemon()
                let writing = """
                    cd "$0"; i=0
                    while i=$((i + 1)); do
                        echo "https://apod.nasa.gov/apod/$i" >"note $((i % 500))"
                        [ "$i" != 2000 ] || echo flooded >&2
                    done
                    """
                let flood = try Program(
                    ["sh", "-c", writing, "\(site.root)/favorites"], environment: [:])
                try await flood.errors.wait(for: "flooded")

                let ending = try await program.stop()

                #expect(ending.code == 0, "\(ending)")
                withExtendedLifetime(flood) {}
            }
        }
    }
}
