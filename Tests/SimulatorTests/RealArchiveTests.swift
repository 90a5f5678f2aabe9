import APOD
import Glibc
import JSON
import Platform
import TestSupport
import Testing

@testable import Simulator

@Suite(.timeLimit(.minutes(10))) struct RealArchiveTests {
    static let lines = [
        #"{"date": "1995-06-16", "explanation": "A < B & C’s “D” – E", "hdurl": "https://apod.nasa.gov/apod/image/e_big.gif ", "media_type": "image", "service_version": "v1", "title": "Neutron Star Earth", "url": "https://apod.nasa.gov/apod/image/e_lens.gif"}"#,
        #"{"date": "2006-12-04", "explanation": "", "hdurl": "https://apod.nasa.gov/apod/image/0612/sun.mpg", "media_type": "image", "title": "Sun\n", "url": "https://apod.nasa.gov/apod/image/0612/sun.jpg"}"#,
        #"{"date": "2010-01-01", "copyright": "\nSomebody ", "explanation": "", "media_type": "video", "title": "V", "url": "//www.youtube.com/embed/abc?rel=0"}"#,
        #"{"date": "2012-01-01", "explanation": "", "media_type": "other", "title": "No address"}"#,
        #"{"date": "2018-08-06", "explanation": "", "hdurl": "http://nusoft.fnal.gov/img/echo.png", "media_type": "image", "title": "W", "url": "http://nusoft.fnal.gov/img/echo.png"}"#,
        #"{"date": "2017-11-13", "explanation": "", "hdurl": "https://apod.nasa.gov/apod/image/1711/big.mp4", "media_type": "image", "title": "X", "url": "https://apod.nasa.gov/apod/image/1711/c.jpg"}"#,
    ]

    @Test(arguments: [
        ("/apod/image/e_big.gif", Array("GIF8".utf8)),
        ("/apod/image/e_lens.gif", Array("GIF8".utf8)),
        ("/content/dam/science/cds/apod/apod/1995/june/e_big.gif", Array("GIF8".utf8)),
        ("/apod/image/0612/sun.jpg", Array("true".utf8)),
        ("/apod/image/0612/sun.mpg", Array("no p".utf8)),
        ("/vi/abc/hqdefault.jpg", [0xff, 0xd8, 0xff, 0xe0]),
        ("/nusoft.fnal.gov/img/echo.png", [0x89, 0x50, 0x4e, 0x47]),
        ("/apod/image/1711/c.jpg", [0xff, 0xd8, 0xff, 0xe0]),
    ])
    func mediaAreOfTheirKind(path: String, magic: [UInt8]) async throws {
        try await withTemporaryFolder { folder in
            let root = try Directory(opening: folder)
            _ = try root.makeDirectory("image/0612")
            for (name, text) in [
                ("entries", Self.lines.joined(separator: "\n") + "\n"),
                ("image/0612/sun.jpg", "true"),
            ] {
                try root.open(name, O_WRONLY | O_CREAT).write(Array(text.utf8), path: name)
            }
            let simulator = try Simulator(.real(entries: folder + "/entries", pictures: folder))

            let body = try await simulator.body(path)
            let entry = try await simulator.json("/planetary/apod?date=1995-06-16")

            #expect(Array(body.prefix(4)) == magic)
            #expect(entry["explanation"] == "A < B & C’s “D” – E")
        }
    }

    @Test func anInvalidLineIsReported() async throws {
        try await withTemporaryFolder { path in
            let file = path + "/entries"
            try FileDescriptor(opening: file, O_WRONLY | O_CREAT)
                .write(Array((Self.lines[0] + "\n{}\n").utf8), path: file)

            #expect(throws: ArchiveError(path: file, line: 2)) {
                try Archive.real(entries: file)
            }
        }
    }
}
