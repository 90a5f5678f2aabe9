import Glibc
import MediaFormat
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing

/// Whatever the numbers in a picture or video say, it is read or rejected, and the program goes on.
@Suite(.timeLimit(.minutes(600))) struct MediaStructureTests {
    /// `APOD_MIRROR_INPUTS` sets the number of files, `APOD_MIRROR_SEED` the seed.
    ///
    /// The part `fuzz-media` of the campaign reads a million of them.
    @Test func aFileWithFalseLengthsIsReadOrRejected() {
        let variables = processEnvironment()
        let inputs = variables["APOD_MIRROR_INPUTS"].flatMap { Int($0) } ?? 20_000
        let seed = variables["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? 1
        var files = MalformedFile(random: SplitMix(state: seed))
        var readable: [MediaType: Int] = [:]
        var whole: Set<MediaType> = []
        for _ in 1...inputs {
            let file = files.next()
            unsafe file.withUnsafeBufferPointer { file in
                let bytes = unsafe MediaBytes(file)
                guard let header = try? MediaHeader(reading: bytes) else { return }
                readable[header.type, default: 0] += 1
                if (try? header.checkEnd(of: bytes)) != nil { whole.insert(header.type) }
            }
        }
        print("seed \(seed): \(inputs) files, readable: \(readable)")
        // The structure of each format is close enough to pass, and false often enough not to.
        #expect(Set(readable.keys) == Set(MediaType.allCases) && whole == Set(MediaType.allCases))
        #expect(readable.values.reduce(0, +) < inputs)
    }

    /// Ranges, arithmetic and unwrapping end the process where a number of a file is not what it should be.
    @Test func onlyTheReaderComputesWithTheNumbersOfAFile() throws {
        let folder = try Directory(opening: "\(sourceTree)/Sources/MediaFormat")
        let trapping = #/\.\.<|\.\.\.|\w!|[)\]]!|\ [-+*\/%]=?\ |unsafe\ /#
        for name in try folder.textNames() {
            let lines = String(decoding: try folder.read(name) ?? [], as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false)
            let found = lines.map { line in
                line.replacing(#/\/\/.*/#, with: "")
                    // Between two literals.
                    .replacing(#/0x[0-9a-f]+\.\.\.0x[0-9a-f]+/#, with: "")
            }.filter { $0.contains(trapping) }

            if name == "MediaBytes.swift" {
                #expect(found.count > 10)
            } else {
                #expect(found == [], "\(name)")
            }
        }
    }

    /// Another program writes the file while it is read.
    @Test(arguments: [0, 1, 7, 8, 20, 60])
    func aFileThatBecomesShorterIsTruncated(length: Int) async throws {
        try await withTemporaryFolder { path in
            let file = try FileDescriptor(opening: "\(path)/a.png", O_RDWR | O_CREAT)
            try file.write(Chart(96, 64).png(.truecolor), path: path)
            let header = try MediaHeader(reading: file)
            #expect(ftruncate(file.rawValue, length) == 0)

            #expect(throws: MediaHeader.Refusal.self) {
                try header.checkEnd(of: MediaBytes(descriptor: file.rawValue))
            }
        }
    }

    @Test func aPNGOfMoreChunksThanAnyPictureHasIsRejected() async throws {
        let chunk = [0, 0, 0, 0] + Array("tEXt".utf8) + [0, 0, 0, 0]
        let end = [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
        let start = Array(Chart(96, 64).png(.truecolor).prefix(33))

        #expect(try await mediaRefusal(of: start + chunk + end, isWhole: true) == nil)
        let refusal = try await mediaRefusal(
            of: start + repeated(chunk, 1_000_000) + end, isWhole: true)
        #expect(refusal == "a truncated image/png")
    }

    /// Web pages count their readers by such pictures.
    @Test(arguments: [(1, 1), (15, 400), (400, 15), (16, 16)])
    func aPictureWithASideOfLessThan16PixelsIsRejected(width: Int, height: Int) async throws {
        try await withTemporaryFolder { path in
            let file = try FileDescriptor(opening: "\(path)/a.png", O_RDWR | O_CREAT)
            try file.write(PNGFile.black(width, height), path: path)
            let checked = try CheckedFile(file, path: path)

            #expect((checked == nil) == (min(width, height) < 16))
        }
    }
}
