import APOD
import Glibc
import JSON
import Mirror
import Platform
import Testing

/// Sidecars follow NASA and the favorites, and other programs may write into them.
@Suite(.timeLimit(.minutes(10))) struct SidecarTests {
    private let day = MirrorOfSidecars.day

    @Test func aPictureGetsASidecarAndIsNotChanged() async throws {
        try await withSidecars { mirror in
            let path = try mirror.add()
            let before = try mirror.root.status(path)

            let problems = try await mirror.refresh()

            let text = try #require(try mirror.text(path + ".xmp"))
            #expect(problems == [])
            #expect(text.contains("A Chart") && text.contains("2026-11-20T12:00:00Z"))
            #expect(!text.contains("Rating") && !text.contains("WebStatement"))
            #expect(try mirror.text(path) == "a picture" && mirror.root.status(path) == before)
        }
    }

    @Test func onlyAFavoriteHasFiveStars() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try await mirror.refresh()
            let plain = try mirror.text(sidecar)

            mirror.favorites = [day]
            try await mirror.refresh()
            let favorite = try #require(try mirror.text(sidecar))
            mirror.favorites = []
            mirror.restart()
            try await mirror.refresh()

            #expect(favorite.contains("<xmp:Rating>5</xmp:Rating>"))
            #expect(try mirror.text(sidecar)?.contains("Rating") == false)
            #expect(plain?.contains("Rating") == false)
        }
    }

    @Test func anEditByNASAChangesOurFieldsAndNoOthers() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try await mirror.refresh()
            try mirror.edit(sidecar) { $0.addingTags }

            try mirror.add(title: "Another Chart")
            try await mirror.refresh()

            let text = try #require(try mirror.text(sidecar))
            #expect(text.contains("Another Chart") && !text.contains(">A Chart<"))
            #expect(text.contains("<rdf:li>Sky/Moon</rdf:li>") && text.contains("<!-- mine -->"))
            #expect(text.contains("What is it?"))
        }
    }

    /// Text of a user has priority over text that can be downloaded again.
    @Test func aFieldEditedByAnotherProgramIsNotChanged() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            mirror.favorites = [day]
            try await mirror.refresh()
            try mirror.edit(sidecar) {
                $0.replacing("What is it?", with: "My comet")
                    .replacing("<xmp:Rating>5<", with: "<xmp:Rating>2<")
            }
            let edited = try mirror.root.status(sidecar)
            try await mirror.refresh()
            #expect(try mirror.root.status(sidecar) == edited)

            mirror.favorites = []
            try mirror.add(title: "Another Chart", ["explanation": "It is a comet."])
            try await mirror.refresh()

            let text = try #require(try mirror.text(sidecar))
            #expect(text.contains("My comet") && !text.contains("It is a comet."))
            #expect(text.contains("<xmp:Rating>2<") && text.contains("Another Chart"))
        }
    }

    /// Attributes and other prefixes mean the same as elements; see ISO 16684-1.
    @Test func aSidecarOfAnotherProgramIsCompleted() async throws {
        let other = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <r:Description r:about="" xmlns:a="http://ns.adobe.com/xap/1.0/" xmlns:dc="urn:other:" a:Rating="3" dc:x="kept">
            <d:title xmlns:d="http://purl.org/dc/elements/1.1/"><r:Alt><r:li xml:lang="x-default">Mine</r:li></r:Alt></d:title>
            </r:Description></r:RDF></x:xmpmeta>
            """
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try mirror.write(Array(other.utf8), to: sidecar)
            mirror.favorites = [day]

            let problems = try await mirror.refresh()
            let text = try #require(try mirror.text(sidecar))
            let written = try mirror.root.status(sidecar)
            mirror.restart()
            try await mirror.refresh()

            #expect(problems == [])
            #expect(text.contains("a:Rating=\"3\"") && !text.contains("Rating>"))
            #expect(text.contains(">Mine<") && !text.contains("A Chart"))
            #expect(text.contains("dc:x=\"kept\"") && text.contains("What is it?"))
            #expect(try mirror.root.status(sidecar) == written)
        }
    }

    @Test(arguments: [
        "nothing", "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>", "<a>", "\u{0}\u{1}",
        "<!DOCTYPE r [<!ENTITY e 'x'>]><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>&e;</r:RDF>",
    ])
    func aSidecarThatIsNotXMPIsReportedAndNotChanged(text: String) async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try mirror.write(Array(text.utf8), to: sidecar)

            let problems = try await mirror.refresh()

            #expect(problems.count == 1 && problems[0].contains(".xmp"), "\(problems)")
            #expect(try mirror.text(sidecar) == text)
        }
    }

    @Test(arguments: ["a link", "a directory", "a fifo"])
    func anItemThatIsNotAFileIsReportedAndNotChanged(thing: String) async throws {
        try await withSidecars { mirror in
            let picture = try mirror.add()
            let sidecar = picture + ".xmp"
            let path = mirror.absolute(sidecar)
            switch thing {
            case "a link": _ = unsafe symlink(mirror.absolute(picture), path)
            case "a directory": _ = unsafe mkdir(path, 0o755)
            default: _ = unsafe mkfifo(path, 0o600)
            }
            let before = try mirror.root.status(sidecar)

            let problems = try await mirror.refresh()

            #expect(problems.count == 1, "\(problems)")
            #expect(try mirror.root.status(sidecar) == before)
            #expect(try mirror.text(picture) == "a picture")
        }
    }

    /// Too much for a change that takes a moment.
    @Test(arguments: [
        String(repeating: "<rdf:Description rdf:about=\"\"/>", count: 6_000),
        "<rdf:Description " + (0..<10_001).map { "a\($0)=\"\"" }.joined(separator: " ") + "/>",
        "<!--" + String(repeating: " ", count: 256 << 10) + "-->",
    ])
    func aSidecarWithTooMuchInItIsReportedAndNotChanged(contents: String) async throws {
        try await withSidecars { mirror in
            let path = try mirror.add() + ".xmp"
            let text = Self.packet(contents)
            try mirror.write(Array(text.utf8), to: path)

            let problems = try await mirror.refresh()

            #expect(try mirror.text(path) == text)
            #expect(problems.count == 1 && problems.first?.contains(path) == true, "\(problems)")
        }
    }

    @Test func theLinesOfAnotherProgramStayAsTheyAre() async throws {
        try await withSidecars { mirror in
            let path = try mirror.add() + ".xmp"
            let lines = """
                <rdf:Description
                    rdf:about=""><t:list xmlns:t="\(MirrorOfSidecars.tags)"><t:a>1</t:a>   <t:b>2</t:b>
                  <t:c>  3  </t:c></t:list>
                """
            try mirror.write(
                Array(Self.packet(lines + "</rdf:Description>").utf8), to: path)

            #expect(try await mirror.refresh() == [])

            let written = try mirror.text(path) ?? ""
            let list = lines.drop { $0 != ">" }.dropFirst()
            #expect(written.contains("A Chart") && written.contains(list), "\(written)")
        }
    }

    private static func packet(_ contents: String) -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        \(contents)</rdf:RDF></x:xmpmeta>
        """
    }

    /// Such a change of a file is none of its directory.
    @Test func aSidecarThatIsMadeReadableIsWritten() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try mirror.write(Array("nothing".utf8), to: sidecar)
            #expect(try await mirror.refresh().count == 1)

            _ = unsafe truncate(mirror.absolute(sidecar), 0)

            #expect(try await mirror.refresh() == [])
            #expect(try mirror.text(sidecar)?.contains("A Chart") == true)
        }
    }

    /// A power cut on a file system without a journal leaves such files.
    @Test func anEmptySidecarIsWrittenAgain() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try mirror.write([], to: sidecar)

            #expect(try await mirror.refresh() == [])

            #expect(try mirror.text(sidecar)?.contains("A Chart") == true)
        }
    }

    @Test func theSidecarOfAPictureOfAnotherTypeIsRenamed() async throws {
        try await withSidecars { mirror in
            let old = try mirror.add()
            try await mirror.refresh()
            try mirror.edit(old + ".xmp") { $0.addingTags }

            let new = try mirror.add(type: .png)
            try mirror.root.remove(old)
            try mirror.root.symlink(old, to: Layout.split(new).name)
            try await mirror.refresh()

            #expect(try mirror.root.status(old + ".xmp") == nil)
            let text = try #require(try mirror.text(new + ".xmp"))
            #expect(text.contains("Sky/Moon") && text.contains("A Chart"))
        }
    }

    @Test func aSidecarOfARemovedPictureIsRemovedUnlessAUserChangedIt() async throws {
        try await withSidecars { mirror in
            let path = try mirror.add()
            try await mirror.refresh()
            let own = try #require(try mirror.root.read(path + ".xmp"))
            let changed = own + Array("\n".utf8)
            let folder = try #require(try mirror.root.folder(Layout.split(path).folder))
            let name = Layout.split(path + ".xmp").name
            try mirror.store.publishAlways(changed, in: folder, as: name)

            var picture = try #require(try mirror.store.record(of: day)?.json["picture"]?.members)
            picture.append(.init(key: "removed", value: "2026-11-21T00:00:00Z"))
            try mirror.add(day, ["picture": .object(picture)])
            try await mirror.refresh()

            #expect(try mirror.root.read(path + ".xmp") == changed)
            try mirror.store.publishAlways(own, in: folder, as: name)
            try await mirror.refresh()
            #expect(try mirror.root.status(path + ".xmp") == nil)
        }
    }

    @Test func aRefreshWithoutChangesWritesNothing() async throws {
        try await withSidecars { mirror in
            let days = (0..<40).map { day.advanced(by: -$0) }
            let paths = try days.map { try mirror.add($0) + ".xmp" }
            mirror.favorites = [day]
            try await mirror.refresh()
            let written = try paths.map { try mirror.root.status($0) }
            try await mirror.refresh()
            let state = try mirror.root.status("\(Layout.own)/sidecars.json")

            for isRestarted in [false, true] {
                if isRestarted { mirror.restart() }
                try await mirror.refresh()
                #expect(try paths.map { try mirror.root.status($0) } == written)
                #expect(try mirror.root.status("\(Layout.own)/sidecars.json") == state)
            }
            try mirror.root.remove("\(Layout.own)/sidecars.json")
            mirror.restart()
            try await mirror.refresh()
            #expect(try paths.map { try mirror.root.status($0) } == written)
            #expect(written.allSatisfy { $0 != nil })
        }
    }

    @Test func aRemovedSidecarIsRecreated() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try await mirror.refresh()
            try mirror.root.remove(sidecar)

            try await mirror.refresh()

            #expect(try mirror.text(sidecar) != nil)
        }
    }

    @Test func aSidecarRemovedAfterRoundsOfOneWalkIsRecreated() async throws {
        try await withSidecars { mirror in
            let snapshots = mirror.store.snapshots
            let sidecar = try mirror.add() + ".xmp"
            for _ in 0..<2 { try await mirror.refresh(snapshots.current()) }
            try mirror.root.remove(sidecar)
            snapshots.invalidate()

            try await mirror.refresh(snapshots.current())

            #expect(try mirror.text(sidecar) != nil)
        }
    }
}

extension String {
    /// The text with a tag list and a comment of a photo manager.
    fileprivate var addingTags: String {
        replacing(
            "</rdf:Description>",
            with: """
                <digiKam:TagsList xmlns:digiKam="\(MirrorOfSidecars.tags)"><rdf:Seq><rdf:li>Sky/Moon</rdf:li></rdf:Seq>\
                </digiKam:TagsList><!-- mine --></rdf:Description>
                """)
    }
}
