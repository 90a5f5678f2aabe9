import FoundationEssentials
import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// Real file systems that people keep a mirror on, mounted by root: `make test-machine`.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct MountedDiskTests {
        @Test(arguments: MountedDisk.Kind.usable.flatMap { kind in kind.users.map { (kind, $0) } })
        func aMirrorIsCompleteThereAndFollowsEdits(kind: MountedDisk.Kind, user: Int) async throws {
            try await withSite(days: 3) { site in
                let disk = try await MountedDisk(kind, for: site)
                do {
                    try await Self.check(site, disk.root, user)
                    // rclone cannot read the files of a renamed folder for some seconds.
                    if kind != .rclone { try await Self.checkLostFolder(site, disk.root, user) }
                } catch {
                    Issue.record(error)
                }
                try await disk.unmount()
            }
        }

        private static func check(_ site: Site, _ root: String, _ user: Int) async throws {
            func sync() async throws {
                site.simulator.resetLog()
                let words = ["run", "--once"] + site.settings(root: root) + ["--since", "3d"]
                let ending = try await site.end(words, asUser: user)
                #expect(ending.code == 0, "\(ending)")
            }
            func media() -> Int { site.simulator.requests.count { $0.kind == .media } }

            try await sync()
            let first = try site.tree(root)
            #expect(media() == 3)
            #expect(first.records.count == 3 && first.pictures.count == 3)
            let places = ["index.html", "feed.xml", "latest.json", "gallery/assets/style.css"]
            for path in places { #expect(first.files[path] != nil, "\(path)") }

            try await sync()
            #expect(media() == 0)
            #expect(try site.tree(root).differences(from: first) == [])

            try site.simulator.edit(Site.today) {
                $0.title += " II"
                $0.media = .drawn("b.jpeg", seed: 7, width: 64, height: 40, format: .jpeg)
            }
            let mine = "\(root)/favorites/mine.jpg"
            let picture = try #require(first.pictures.first)
            #expect(try await Program.run(["cp", "\(root)/\(picture)", mine]).code == 0)
            try await sync()

            let edited = try site.tree(root)
            #expect(media() == 1)
            #expect(edited.files["index.html"] != first.files["index.html"])
            #expect(edited.waiting == [] && edited.incoming == [] && edited.damage == [])
            let list = try await site.start(["favorites", "list", "--json", "--root", root]).end()
            #expect(list.output.contains("\"via\": \"copy\""), "\(list)")
            let verified = try await site.start(["verify", "--root", root]).end()
            #expect(verified.code == 0, "\(verified)")
            let doctor = try await site.start(["doctor", "--offline", "--root", root]).end()
            #expect(doctor.code == 0, "\(doctor)")

            // Where two names that differ only in case are the same, the picture is there; elsewhere, it comes from the copy.
            let renamed = try await Program.run(
                ["mv", "\(root)/\(picture)", "\(root)/\(picture.dropLast(4)).JPG"])
            #expect(renamed.code == 0, "\(renamed)")
            try await sync()
            #expect(media() == 0)
            let status = try await site.start(["status", "--root", root]).end()
            #expect(status.code == 0, "\(status)")
        }

        /// Where the disk has no symbolic links, commands and the lost folder have shortcuts in their place.
        private static func checkLostFolder(
            _ site: Site, _ root: String, _ user: Int
        ) async throws {
            func favorites(_ words: String...) async throws -> Ending {
                let words = ["favorites"] + words + ["--root", root]
                let ending = try await site.end(words, asUser: user)
                #expect(ending.code == 0, "\(ending)")
                return ending
            }
            let added = try await favorites("add", "\(Site.day(1))", "\(Site.day(2))")
            #expect(added.output.contains("added: "), "\(added)")
            let before = try await favorites("list")
            let removed = try await Program.run(["rm", "-r", "\(root)/favorites"])
            #expect(removed.code == 0, "\(removed)")
            _ = try await favorites("restore")
            let after = try await favorites("list")
            #expect(!after.output.contains("(held)"), "\(before) \(after)")
            _ = try await favorites("remove", "\(Site.day(1))")
            let restored = try await favorites("restore", "\(Site.day(1))")
            #expect(restored.output.hasPrefix("restored: "), "\(restored)")
        }
    }
}

/// A file system in a file, or above a folder, that is mounted for one test.
struct MountedDisk {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case ntfs, exfat, gocryptfs, mergerfs, rclone

        var testDescription: String { rawValue }

        /// Those that can be mounted here; why others cannot is printed once.
        static let usable = wanted.filter { kind in
            let reason = kind.obstacle
            if let reason { print("Skipped: a mirror on \(kind.rawValue): \(reason)") }
            return reason == nil
        }

        private static var wanted: [Kind] {
            processEnvironment()["APOD_MIRROR_DISKS"] == nil ? [] : allCases
        }

        /// The one to whom the files on the disk belong, and another one.
        var users: [Int] {
            // As another user its mkdir(2) fails now and then with EPERM where two are made at once.
            self == .gocryptfs ? [0] : [1000, 65_534]
        }

        private var programs: [String] {
            switch self {
            case .ntfs: ["mkntfs", "ntfs-3g"]
            case .exfat: ["mkfs.exfat", "mount.exfat-fuse", "losetup"]
            case .gocryptfs: ["gocryptfs", "fusermount3"]
            case .mergerfs: ["mergerfs"]
            case .rclone: ["rclone", "fusermount3"]
            }
        }

        private var obstacle: String? {
            guard geteuid() == 0 else { return "only root can mount" }
            guard unsafe access("/dev/fuse", R_OK | W_OK) == 0 else {
                return "there is no /dev/fuse"
            }
            let folders = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"]
            let missing = programs.filter { program in
                !folders.contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
            }
            return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is missing"
        }

        /// The commands that mount it at `mirror`.
        var script: String {
            // As people write it in fstab(5): all files belong to one user, and all may write.
            let options = "uid=1000,gid=1000,umask=0,allow_other"
            return switch self {
            case .ntfs:
                "truncate -s 64M image && mkntfs -q -F image && ntfs-3g -o \(options) image mirror"
            case .exfat:
                """
                truncate -s 64M image && mkfs.exfat image && device=$(losetup --find --show image) \
                && mount.exfat-fuse -o \(options) "$device" mirror && losetup --detach "$device"
                """
            case .gocryptfs:
                """
                mkdir a && gocryptfs -q -init -scryptn 10 -extpass 'echo x' a \
                && gocryptfs -q -extpass 'echo x' a mirror
                """
            case .mergerfs:
                "mkdir -m 777 a b && mergerfs -o allow_other $PWD/a:$PWD/b $PWD/mirror"
            case .rclone:
                """
                mkdir -m 777 a && RCLONE_CONFIG=/dev/null rclone mount --daemon --allow-other --umask 0 \
                --cache-dir $PWD/cache --vfs-cache-mode writes $PWD/a $PWD/mirror
                """
            }
        }
    }

    /// The path of its top folder, where the mirror is.
    let root: String
    private let folder: String

    init(_ kind: Kind, for site: Site) async throws {
        folder = "\(site.folder)/disk"
        root = "\(folder)/mirror"
        try await run(
            "mkdir -p '\(folder)' '\(site.home)' && cd '\(folder)' && chmod 755 .. . && mkdir -m 777 mirror && \(kind.script)"
        )
    }

    func unmount() async throws {
        // The program that serves it may still be busy.
        try await run(
            "cd '\(folder)' && for try in $(seq 100); do umount mirror && exit; sleep 0.1; done; exit 1"
        )
    }

    private func run(_ script: String) async throws {
        let ending = try await Program.run(
            ["sh", "-c", script], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        guard ending.code == 0 else {
            throw SystemError("mount", path: "\(root): \(ending)", code: EIO)
        }
    }
}
