import Glibc
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct OutputFileTests {
    private static let beginning = "# list"

    @Test func theFileIsReplacedAndWorldReadable() async throws {
        try await withTemporaryFolder { path in
            let before = umask(0o077)
            defer { umask(before) }
            let file = try OutputFile(
                "\(path)/list", beginningWith: Self.beginning, outside: "/nowhere")
            let folder = try Directory(opening: path)

            try file.write(Array("# list 1\n".utf8))
            try file.write(Array("# list 2\n".utf8))

            #expect(try folder.read("list") == Array("# list 2\n".utf8))
            #expect(try folder.textNames() == ["list"])
            var status = stat()
            #expect(unsafe stat("\(path)/list", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o644)
        }
    }

    @Test(arguments: ["/dev/null", "fifo"])
    func aDeviceOrFIFOIsNotReplaced(name: String) async throws {
        try await withTemporaryFolder { path in
            unsafe mkfifo("\(path)/fifo", 0o600)
            let file = name.hasPrefix("/") ? name : "\(path)/\(name)"

            #expect(throws: OutputFile.Refusal.self) {
                _ = try OutputFile(file, beginningWith: Self.beginning, outside: "/nowhere")
            }
        }
    }
}
