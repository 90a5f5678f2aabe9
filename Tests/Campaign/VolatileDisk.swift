import Glibc
import Platform
import ProgramTesting
import TestSupport

/// A file system on a disk with a volatile cache, mounted in the folder of a rig: see `Tests/VolatileDisk`.
final class VolatileDisk {
    enum FileSystem: String, CaseIterable {
        case ext4, xfs, btrfs

        /// The smallest size of each file system.
        var megabytes: Int {
            switch self {
            case .ext4: 64
            case .xfs: 300
            case .btrfs: 128
            }
        }

        /// A mount namespace that another program made at the wrong moment may still have the disk of before, and xfs refuses
        /// to mount two disks with one UUID.
        var mountOptions: String { self == .xfs ? "loop,nouuid" : "loop" }

        var command: String {
            switch self {
            case .ext4: "mkfs.ext4 -q"
            case .xfs: "mkfs.xfs -q"
            case .btrfs: "mkfs.btrfs -q --mixed"
            }
        }
    }

    private let rig: Rig
    private let fileSystem: FileSystem
    private let folder: String
    private var server: Program?

    /// The directory where the file system is mounted.
    var mountPoint: String { "\(folder)/mounted" }
    private var base: String { "\(folder)/base" }
    private var image: String { "\(folder)/image" }
    private var log: String { "\(folder)/log" }

    static let program =
        Program.path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        + "/volatile-disk"

    /// Creates an empty file system.
    init(_ fileSystem: FileSystem, _ rig: Rig) async throws {
        self.rig = rig
        self.fileSystem = fileSystem
        folder = "\(rig.site.folder)/disk"
        try await rig.shell(
            """
            mkdir -p '\(folder)/fuse' '\(folder)/mounted' && truncate -s \(fileSystem.megabytes)M '\(base)' \
            && \(fileSystem.command) '\(base)' >/dev/null 2>&1
            """)
    }

    deinit {
        // A file system is still mounted only after an error.
        _ = unsafe umount2(mountPoint, Int32(MNT_DETACH))
        _ = unsafe umount2("\(folder)/fuse", Int32(MNT_DETACH))
    }

    /// Mounts the empty file system, and starts recording writes to the disk.
    func record() async throws {
        try await rig.shell("cp --sparse=always '\(base)' '\(image)'")
        let server = try Program(
            [Self.program, "serve", "\(folder)/fuse", image, log], environment: [:])
        try await server.output.wait(for: "ready")
        self.server = server
        try await mount("\(folder)/fuse/disk")
    }

    /// The number of recorded writes and flushes.
    func records() async throws -> Int {
        Int(try await rig.shell("'\(Self.program)' count '\(log)'").dropLast()) ?? 0
    }

    /// Ends the recording.
    func stop() async throws {
        try await unmount()
        // The loop device that the kernel detaches later may still have the disk open; its server ends after that.
        try await rig.shell("umount --lazy '\(folder)/fuse'")
        _ = try await server?.end()
        server = nil
    }

    /// Mounts the disk as after a power cut at `number` writes and flushes.
    func mountAfterCut(at number: Int, seed: UInt64) async throws {
        // A new file each time: the kernel detaches a loop device, and writes to it, after umount(8).
        removeTree(image)
        try await rig.shell(
            "'\(Self.program)' cut '\(base)' '\(log)' \(number) \(seed) '\(image)'")
        try await mount(image)
    }

    private func mount(_ device: String) async throws {
        try await rig.shell(
            "mount -t \(fileSystem) -o \(fileSystem.mountOptions) '\(device)' '\(mountPoint)'")
    }

    func unmount() async throws { try await rig.shell("umount '\(mountPoint)'") }
}
