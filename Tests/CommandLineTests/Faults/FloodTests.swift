import Testing

extension WholeProgram {
    /// A flood in `favorites/` that outlives the process.
    @Suite(.timeLimit(.minutes(10))) struct FloodTests {
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
