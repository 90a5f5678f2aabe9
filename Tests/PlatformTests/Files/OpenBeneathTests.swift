import CLinux
import Glibc
import Platform
import TestSupport
import Testing

/// Without openat2(2), paths are opened step by step, with the same result.
@Suite struct OpenBeneathTests {
    /// The result of opening a path.
    private enum Outcome: Hashable {
        case opened(FileStatus.Kind?, FileIdentity?)
        case refused(Int32)
    }

    /// O_PATH of open(2), which Swift's Glibc module lacks.
    private static let pathOnly: Int32 = 0o10_000_000

    private static let flags = [
        O_RDONLY, O_RDONLY | O_DIRECTORY, O_RDONLY | O_NOFOLLOW, O_WRONLY, O_RDWR | O_CREAT,
        pathOnly, pathOnly | O_NOFOLLOW, pathOnly | O_DIRECTORY,
    ]

    private static let paths = [
        "file", "folder", "folder/file", "folder/inner/file", "folder/inner", ".", "folder/.",
        "none", "none/file", "folder/none/file", "file/file", "folder/file/file",
        "link", "loop", "dangling", "outside", "outside/passwd", "around", "around/file",
        "folder/link", "folder/inner/up", "folder/inner/up/file",
        "..", "../x", "/etc/passwd", String(repeating: "x", count: 300),
        String(repeating: "x", count: 300) + "/file",
    ]

    @Test(arguments: paths) func openingByStepsResolvesLikeTheKernel(path: String) async throws {
        for (flags, mounts) in Self.flags.flatMap({ [($0, Int32(0)), ($0, Int32(1))] }) {
            try await withTemporaryFolder(inMemory: true) { place in
                let root = try FileDescriptor(
                    opening: try Self.arrange(place), O_RDONLY | O_DIRECTORY)
                let byKernel = outcome(
                    unsafe clinux_open_beneath(root.rawValue, path, flags, 0o600, mounts))
                let bySteps = outcome(
                    unsafe clinux_open_by_steps(root.rawValue, path, flags, 0o600, mounts))

                #expect(bySteps == byKernel, "flags \(String(flags, radix: 8))")
            }
        }
    }

    @Test(arguments: ["folder/../file", "folder/..", "folder//file", "folder/", ""])
    func openingByStepsRejectsParentReferences(path: String) async throws {
        try await withTemporaryFolder { place in
            let root = try FileDescriptor(opening: try Self.arrange(place), O_RDONLY | O_DIRECTORY)

            #expect(
                outcome(unsafe clinux_open_by_steps(root.rawValue, path, O_RDONLY, 0, 1))
                    == .refused(EXDEV))
        }
    }

    /// A directory and a file with something mounted on them; a mount at the directory that is open does not count.
    @Test(.enabled(if: getuid() == 0, "mounts file systems"))
    func mountsAreEnteredOnRequestOnly() async throws {
        try await withTemporaryFolder { place in
            let path = try Self.arrange(place)
            for (source, target) in [(".", "."), ("folder", "folder"), ("file", "folder/file")] {
                let target = "\(path)/\(target)"
                try #require(
                    unsafe mount("\(path)/\(source)", target, "", UInt(MS_BIND), nil) == 0)
            }
            defer {
                for name in ["folder/file", "folder", "."] {
                    _ = unsafe umount2("\(path)/\(name)", CInt(MNT_DETACH))
                }
            }
            let root = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
            let folder = try FileDescriptor(opening: "\(path)/folder", O_RDONLY | O_DIRECTORY)
            for (start, name, isMount) in [
                (root.rawValue, "folder", true), (root.rawValue, "folder/inner", true),
                (folder.rawValue, "file", true), (folder.rawValue, "inner", false),
                (folder.rawValue, ".", false),
            ] {
                for flags in [O_RDONLY, Self.pathOnly] {
                    for opened in unsafe [
                        clinux_open_beneath(start, name, flags, 0, 0),
                        clinux_open_by_steps(start, name, flags, 0, 0),
                    ] {
                        #expect((outcome(opened) == .refused(EXDEV)) == isMount, "\(name)")
                    }
                    #expect(
                        outcome(unsafe clinux_open_beneath(start, name, flags, 0, 1))
                            != .refused(EXDEV))
                }
            }
        }
    }

    @Test func openingByStepsLeavesNoDescriptorOpen() async {
        // It needs its own process, because other tests open files.
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { place in
                let root = try FileDescriptor(
                    opening: try Self.arrange(place), O_RDONLY | O_DIRECTORY)
                for path in [
                    "folder/inner/file", "folder/inner/none", "folder/none/file", "around/file",
                ] {
                    let next = dup(root.rawValue)
                    close(next)
                    close(unsafe clinux_open_by_steps(root.rawValue, path, O_RDONLY, 0, 1))

                    let then = dup(root.rawValue)
                    #expect(then == next)
                    close(then)
                }
            }
        }
    }

    /// A directory with files and directories, and links to each and to the outside.
    private static func arrange(_ place: String) throws -> String {
        let top = try Directory(opening: place)
        let root = try top.makeDirectory("root")
        let inner = try root.makeDirectory("folder/inner")
        for folder in [root, inner, try #require(try root.folder("folder"))] {
            _ = try folder.open("file", O_WRONLY | O_CREAT)
        }
        try root.symlink("link", to: "file")
        try root.symlink("loop", to: "loop")
        try root.symlink("dangling", to: "nowhere")
        try root.symlink("outside", to: "/etc")
        try root.symlink("around", to: "folder/inner")
        try root.folder("folder")?.symlink("link", to: "inner/file")
        try inner.symlink("up", to: "..")
        return root.path
    }

    private func outcome(_ descriptor: Int32) -> Outcome {
        guard descriptor >= 0 else { return .refused(errno) }
        let file = FileDescriptor(owning: descriptor)
        let status = try? file.status(path: "it")
        return .opened(status?.kind, status?.identity)
    }
}
