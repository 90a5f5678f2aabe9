import APOD
import Glibc
import Mirror
import Simulator
import Testing

extension WholeProgram {
    /// APOD shows pictures again: on btrfs and XFS they share their blocks.
    @Suite(.timeLimit(.minutes(10))) struct RerunTests {
        private static func isInstalled(_ program: String) -> Bool {
            unsafe system("command -v \(program) >/dev/null 2>&1") == 0
        }

        /// Whether this user may mount a disk image, and mkfs is installed.
        static let mayMount: Bool = {
            let hasLoop = unsafe system("unshare -m sh -c 'losetup -f' >/dev/null 2>&1") == 0
            return hasLoop && getuid() == 0 && isInstalled("filefrag")
        }()

        static let fileSystems = ["mkfs.btrfs -q", "mkfs.xfs -q"].filter {
            isInstalled(String($0.prefix { $0 != " " }))
        }

        @Test(.enabled(if: mayMount && !fileSystems.isEmpty), arguments: fileSystems)
        func aRerunSharesTheBlocksOfTheEarlierPicture(command: String) async throws {
            let today = Site.today
            try await withSite(of: Archive(Self.entries)) { site in
                let (disk, mount) = ("\(site.folder)/disk", "\(site.folder)/mount")
                let words =
                    (["run", "--once", "-q", "--thumbnails", "no"]
                    + site.settings(root: "\(mount)/apod")
                    + ["--since", "3d"]).joined(separator: "' '")
                let script = """
                    truncate -s 400M \(disk) && \(command) \(disk) >/dev/null && mkdir \(mount) \
                    && mount -o loop \(disk) \(mount) || exit 99
                    HOME=\(site.home) '\(Program.path)' '\(words)' || exit 98
                    sync -f \(mount)
                    cd \(mount)/apod/pictures && for f in */*/*; do
                        filefrag -v "$f" | grep -q shared && echo "shared ${f##*/}"
                        stat -c '%Y %h %n' "$f"
                        done
                    cd / && umount \(mount)
                    """
                let ending = try await Program(
                    ["unshare", "-m", "sh", "-c", script], environment: [:]
                )
                .end()

                #expect(ending.code == 0, "\(ending)")
                let lines = ending.output.split(separator: "\n")
                let shared = Set(
                    lines.filter { $0.hasPrefix("shared ") }
                        .compactMap { Day(iso: $0.dropFirst(7).prefix(10)) })
                #expect(shared == [today, today.advanced(by: -2)], "\(ending)")
                let files = lines.filter { !$0.hasPrefix("shared ") }
                #expect(files.count == 3)
                for file in files {
                    let words = file.split(separator: " ", maxSplits: 2)
                    let name = Layout.split(String(words[2])).name
                    #expect(Int(words[0]) == Day(iso: name.prefix(10))?.noon && words[1] == "1")
                }
            }
        }

        /// Where blocks cannot be shared, nothing else happens.
        @Test func aRerunIsAFileOfItsOwn() async throws {
            try await withSite(of: Archive(Self.entries)) { site in
                let ending = try await site.mirror("--since", "3d", "--thumbnails", "no")

                let tree = try site.tree()
                #expect(ending.code == 0, "\(ending)")
                #expect(tree.complete.count == 3 && tree.damage == [] && tree.incoming == [])
                let noons = try site.times().allSatisfy { path, time in
                    Day(iso: Layout.split(path).name.prefix(10))?.noon == time
                }
                #expect(noons)
            }
        }

        /// Today's picture is that of the day before yesterday.
        private static var entries: [SimulatedEntry] {
            (0..<3).map { age in
                let drawing = Drawing(
                    seed: UInt64(age % 2), width: 640, height: 480, format: .png)
                return SimulatedEntry(
                    day: Site.today.advanced(by: -age), title: "Day \(age)",
                    explanationHTML: "Text.",
                    media: .picture(SimulatedPicture(name: "n\(age).png", source: .drawn(drawing))))
            }
        }
    }
}
