import APOD
import Glibc
import Platform
import Simulator
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ArchiveTests {
    @Test func aGeneratedEntryDependsOnDayAndSeedOnly() throws {
        let one = Archive.generated(newest: today, days: 30)
        let later = Archive.generated(newest: today.advanced(by: 5), days: 30)
        let other = Archive.generated(newest: today, days: 30, seed: 2)

        #expect(one.days.count == 30 && one.days.last == today)
        #expect(one.entries[today] == later.entries[today])
        #expect(one.entries[today] != other.entries[today])
    }

    @Test func neverPublishedDaysHaveNoEntry() throws {
        let newest = try #require(Day(iso: "2020-06-11"))
        let archive = Archive.generated(newest: newest, days: 2)

        #expect(archive.days.map(\.description) == ["2020-06-09", "2020-06-11"])
        #expect(Archive.generated(newest: .first, days: 9).days == [.first])
    }

    @Test func aMonthContainsEveryKindOfEntry() {
        let archive = Archive.generated(newest: today, days: 30, extras: .all)
        let kinds = Set(archive.entries.values.map { kind(of: $0.media) })

        #expect(
            kinds == [
                "picture jpg", "picture png", "picture gif", "reduced", "video", "iframe", "lost",
                "other", "markup",
            ])
    }

    @Test func awkwardTitlesAlternate() {
        let titles = Archive.generated(newest: today, days: 100).entries.values.map(\.title)

        for part in ["/", "\"", "\n", "../", "..."] {
            #expect(titles.contains { $0.contains(part) })
        }
        #expect(titles.contains { $0.hasSuffix("  ") })
        #expect(titles.contains { $0.utf8.count > 255 })
    }

    @Test func withoutExtrasAllEntriesArePictures() {
        let archive = Archive.generated(newest: today, days: 30, extras: [])

        #expect(Set(archive.entries.values.map { kind(of: $0.media) }) == ["picture jpg"])
    }

    private func kind(of media: SimulatedMedia) -> String {
        switch media {
        case .picture(let picture) where picture.reduced != nil: "reduced"
        case .picture(let picture): "picture \(picture.name.suffix(3))"
        case .videoFile: "video"
        case .iframe: "iframe"
        case .lost: "lost"
        case .other: "other"
        case .markupOnly: "markup"
        case .articleOnly: "article"
        case .markup: "any"
        }
    }

    @Test func everyPictureIsAnotherFile() {
        let archive = Archive.generated(newest: today, days: 30, extras: [])
        let files = archive.entries.values.compactMap { entry -> [UInt8]? in
            guard case .picture(let picture) = entry.media,
                case .drawn(let drawing) = picture.source
            else { return nil }
            return drawing.encoded()
        }

        #expect(Set(files).count == 30)
    }

    @Test func filesAreOrderedByName() async throws {
        try await withTemporaryFolder { folder in
            for name in ["b.jpg", "a.jpg", "c.jpg"] {
                _ = try FileDescriptor(opening: "\(folder)/\(name)", O_WRONLY | O_CREAT)
            }
            _ = try Directory(opening: folder).makeDirectory("d")
            let archive = try Archive.files(folder, newest: today)

            #expect(archive.days.map { archive.entries[$0]?.title } == ["a.jpg", "b.jpg", "c.jpg"])
            #expect(archive.days.last == today)
        }
    }
}
