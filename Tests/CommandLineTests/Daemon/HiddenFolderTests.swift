import Glibc
import Mirror
import Platform
import Testing

extension WholeProgram {
    /// systemd hides directories from a service by mounting empty ones over them.
    @Suite struct HiddenFolderTests {
        private static let mayMount: Bool =
            unsafe geteuid() == 0 && system("unshare -m mount -t tmpfs none /home 2>/dev/null") == 0

        @Test(.enabled(if: mayMount, "mounts in a namespace of its own"), arguments: [true, false])
        func aLinkOutOfTheMirrorIsKept(isHidden: Bool) async throws {
            try await withSite(days: 1) { site in
                _ = try await site.mirror()
                let picture = try #require(try site.tree().pictures.first)
                let target = "/home/nobody/here/\(picture)"
                let favorites = try Directory(opening: site.root).makeDirectory("favorites")
                try favorites.symlink("link", to: target)
                let line = isHidden ? "mount -t tmpfs none /home && exec \"$@\"" : "exec \"$@\""

                let ending = try await Program(
                    ["unshare", "-m", "sh", "-c", line, "sh", Program.path, "run", "--once"]
                        + site.settings(root: site.root),
                    environment: ["HOME": site.home]
                ).end()

                #expect(ending.code == 3, "a day of thirty: \(ending)")
                #expect(favorites.target(of: "link") == target)
            }
        }
    }
}
