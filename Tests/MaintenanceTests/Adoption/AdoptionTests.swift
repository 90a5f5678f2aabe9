import APOD
import FoundationEssentials
import Glibc
import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import Maintenance
@testable import Mirror

/// Pictures of another program are chosen and copied; the days that they are for become due.
@Suite(.timeLimit(.minutes(10))) struct AdoptionTests {
    /// Of a day that is not due for a long time.
    private let retry = RetryState(
        cause: .lost, reason: "no picture", attempts: 7,
        last: Date(timeIntervalSince1970: 1_700_000_000), next: .distantFuture,
        since: Date(timeIntervalSince1970: 1_600_000_000))

    /// Runs `body` with a mirror that has ``retry`` for 2020-01-01, and a source with the picture of that day: a picture
    /// of the mirror that `change` returns.
    private func withRetry(
        changing change: ([UInt8]) -> [UInt8] = { $0 },
        _ body: (Day, MirrorUnderTest, Directory) throws -> Void
    ) async throws {
        try await withMirror(days: 6) { mirror in
            let day = try #require(Day(iso: "2020-01-01"))
            await mirror.sync()
            let picture = try mirror.tree.root.read(try mirror.picture()) ?? []
            var state = try mirror.store.state()
            state.retries[day] = retry
            try mirror.store.save(state)
            try await withTemporaryFolder { path in
                let source = try Directory(opening: path)
                try AtomicFile.publish(
                    change(picture), in: source, as: "\(day).jpg", through: source)
                try body(day, mirror, source)
            }
        }
    }

    /// It would take minutes to read, and fill the disk.
    @Test func aHugePictureOfAnotherProgramIsNotAdopted() async throws {
        try await withRetry { day, mirror, source in
            #expect(unsafe truncate("\(source.path)/\(day).jpg", 1 << 40) == 0)
            let reasons = Monitor([String]())
            var adoption = try Adoption(of: source, into: mirror.store) { event in
                guard case .unrecognized(_, let reason) = event else { return }
                reasons.withLock { $0.append(reason) }
            }

            adoption.scan()

            #expect(adoption.candidates.isEmpty)
            #expect(reasons.withLock { $0 } == ["larger than 2.1 GB"])
        }
    }

    /// A process that is killed adopts the rest later; what it adopted is published by the next sync.
    @Test func anAdoptedDayIsDueEvenIfTheAdoptionDoesNotEnd() async throws {
        try await withRetry { day, mirror, source in
            let store = mirror.store
            let next = Monitor<Date?>(nil)
            var adoption = try Adoption(of: source, into: store) { event in
                guard case .adopted = event else { return }
                next.withLock { $0 = (try? store.state())?.retries[day]?.next }
            }
            adoption.scan()

            try adoption.carryOut(in: store)

            let due = try #require(next.withLock { $0 })
            #expect(due <= .now)
        }
    }

    /// A picture that is rejected after the scan changes nothing of why, and since when, its day is missing.
    @Test func aDayWhosePictureIsRejectedKeepsItsRetry() async throws {
        try await withRetry(changing: { Array($0.dropLast(9)) }) { day, mirror, source in
            var adoption = try Adoption(of: source, into: mirror.store) { _ in }
            adoption.scan()
            #expect(adoption.candidates.keys.elementsEqual([day]))

            try adoption.carryOut(in: mirror.store)

            var kept = try #require(try mirror.store.state().retries[day])
            #expect(kept.next <= .now)
            kept.next = retry.next
            #expect(kept == retry)
        }
    }

    /// A person moved a picture, and left a link in its place, or puts another file there while others are adopted.
    @Test(arguments: [true, false])
    func whatHasThePlaceOfALostPictureStays(isLink: Bool) async throws {
        try await withMirror(days: 6) { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let picture = try mirror.tree.root.read(path) ?? []
            try mirror.remove(path)
            if isLink { try mirror.tree.root.symlink(path, to: "/mnt/moved.jpg") }
            try await withTemporaryFolder { folder in
                let source = try Directory(opening: folder)
                try AtomicFile.publish(picture, in: source, as: "mine.jpg", through: source)
                let events = Monitor([AdoptionEvent]())
                var adoption = try Adoption(of: source, into: mirror.store) { event in
                    events.withLock { $0.append(event) }
                }
                adoption.scan()
                if !isLink { try mirror.write("mine", to: path) }

                try adoption.carryOut(in: mirror.store)

                if isLink {
                    #expect(mirror.tree.root.target(of: path) == "/mnt/moved.jpg")
                } else {
                    #expect(try mirror.text(path) == "mine")
                }
                let isRejected = events.withLock { events in
                    events.contains {
                        if case .unrecognized("mine.jpg", _) = $0 { true } else { false }
                    }
                }
                #expect(isRejected)
            }
        }
    }

    /// Both names have the day, and the file that the record does not name is the larger one.
    @Test func theRecordedPictureIsChosenBeforeALargerOneOfItsDay() async throws {
        try await withMirror(days: 6) { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let picture = try mirror.tree.root.read(path) ?? []
            let day = try #require(FileName.day(of: Layout.split(path).name))
            try mirror.remove(path)
            try await withTemporaryFolder { folder in
                let source = try Directory(opening: folder)
                for (name, bytes) in [("a", picture), ("b", picture + [0, 0])] {
                    try AtomicFile.publish(
                        bytes, in: source, as: "\(day) \(name).jpg", through: source)
                }
                var adoption = try Adoption(of: source, into: mirror.store) { _ in }

                adoption.scan()
                try adoption.carryOut(in: mirror.store)

                #expect(try mirror.tree.root.read(path) == picture)
            }
        }
    }

    /// An interrupted download may be larger than a reduced copy of the same picture.
    @Test(arguments: [true, false])
    func afterARejectedPictureTheNextOneOfItsDayIsImported(isDryRun: Bool) async throws {
        try await withMirror(days: 6) { mirror in
            await mirror.sync()
            let picture = try mirror.tree.root.read(try mirror.picture()) ?? []
            let interrupted = Array(picture.dropLast(9)) + [UInt8](repeating: 0x20, count: 99)
            let day = try #require(Day(iso: "2020-01-01"))
            try await withTemporaryFolder { folder in
                let source = try Directory(opening: folder)
                let contents = [interrupted, picture + [0, 0], picture]
                let names = (1...3).map { "\(day) Title (\($0)).jpg" }
                for (name, bytes) in zip(names, contents) {
                    try AtomicFile.publish(bytes, in: source, as: name, through: source)
                }
                let events = Monitor([AdoptionEvent]())
                var adoption = try Adoption(of: source, into: mirror.store) { event in
                    events.withLock { $0.append(event) }
                }

                adoption.scan()
                try adoption.carryOut(in: isDryRun ? nil : mirror.store)

                #expect(
                    events.withLock(\.self) == [
                        .unrecognized(path: names[0], reason: "truncated, or changed meanwhile"),
                        .adopted(path: names[1], day: day, bytes: contents[1].count),
                        .unrecognized(
                            path: names[2], reason: "“\(names[1])” was chosen for \(day)"),
                    ])
                let copied = try mirror.tree.root.read("\(Layout.adopted)/\(day).jpg")
                #expect(copied == (isDryRun ? nil : contents[1]))
            }
        }
    }

    /// The first picture may be the original, and the next one an edit of it.
    @Test func afterAPictureThatCannotBeReadNoOtherOneOfItsDayIsImported() async throws {
        try await withRetry { day, mirror, source in
            let edit = "\(day) Edit.jpg"
            let picture = try source.read("\(day).jpg") ?? []
            for (name, bytes) in [(edit, picture), ("\(day).jpg", picture + [0, 0])] {
                try AtomicFile.publish(bytes, in: source, as: name, through: source)
            }
            let events = Monitor([AdoptionEvent]())
            var adoption = try Adoption(of: source, into: mirror.store) { event in
                events.withLock { $0.append(event) }
            }
            adoption.scan()
            try source.remove("\(day).jpg")

            try adoption.carryOut(in: mirror.store)

            let paths = events.withLock { events in
                events.map {
                    switch $0 {
                    case .failed(let path, _): "failed \(path)"
                    case .unrecognized(let path, _): "unrecognized \(path)"
                    case .adopted, .present: "wrong"
                    }
                }
            }
            #expect(paths == ["failed \(day).jpg", "unrecognized \(edit)"])
        }
    }

    /// An edit that a person saved under another name; the record of an older version has no other keys that count.
    @Test(arguments: ["A", "zz"], [true, false])
    func theOriginalOfAnotherMirrorIsChosenBeforeALargerEdit(
        title: String, isRecordReadable: Bool
    ) async throws {
        try await withMirror(days: 6) { mirror in
            await mirror.sync()
            let original = try mirror.picture()
            let (folder, name) = Layout.split(original)
            let day = try #require(FileName.day(of: name))
            let edit = "\(folder)/\(day) \(title).jpg"
            let record = try #require(try mirror.store.record(of: day)?.picture)
            try AtomicFile.publish(
                (try mirror.tree.root.read(original) ?? []) + [0, 0],
                in: mirror.tree.root.makeDirectory(folder), as: Layout.split(edit).name,
                through: mirror.tree.root)
            try mirror.write(
                isRecordReadable ? "{\"picture\": {\"sha256\": \"\(record.sha256)\"}}" : "?",
                to: Layout.recordPath(of: day))
            var adoption = try Adoption(of: mirror.tree.root, into: nil) { _ in }

            adoption.scan()

            let best = try #require(adoption.candidates[day]?.first?.path)
            #expect(String(decoding: best, as: UTF8.self) == (isRecordReadable ? original : edit))
        }
    }

    /// As after a backup was restored into a folder of its own; edits in `favorites/` and in `wallpapers/` are larger.
    @Test func theOriginalsOfAMirrorInsideTheSourceAreImported() async throws {
        try await withMirror(days: 6) { mirror in
            await mirror.sync()
            let original = try mirror.picture()
            let (folder, name) = Layout.split(original)
            let day = try #require(FileName.day(of: name))
            let edit = (try mirror.tree.root.read(original) ?? []) + [0, 0]
            for folder in [folder, Layout.favorites, "wallpapers"] {
                try AtomicFile.publish(
                    edit, in: mirror.tree.root.makeDirectory(folder), as: "\(day) Edit.jpg",
                    through: mirror.tree.root)
            }
            try await withTemporaryFolder { above in
                #expect(unsafe mkdir("\(above)/lib", 0o755) == 0)
                #expect(unsafe rename(mirror.tree.root.path, "\(above)/lib/apod") == 0)
                let paths = Monitor([String]())
                var adoption = try Adoption(of: Directory(opening: above), into: nil) { event in
                    guard case .adopted(let path, day, _) = event else { return }
                    paths.withLock { $0.append(path) }
                }

                adoption.scan()
                try adoption.carryOut(in: nil)

                #expect(paths.withLock(\.self) == ["lib/apod/\(original)"])
                #expect(adoption.otherFiles == 0)
                #expect(unsafe rename("\(above)/lib/apod", mirror.tree.root.path) == 0)
            }
        }
    }

    /// As after a sync that published it, and could not remove it from `adopted/`.
    @Test func aPublishedPictureInAdoptedWaitsForNothing() async throws {
        try await withMirror(days: 6) { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let day = try #require(FileName.day(of: Layout.split(path).name))
            for other in [day, day.advanced(by: -400)] {
                try mirror.write("a picture", to: "\(Layout.adopted)/\(other).jpg")
            }

            #expect(try mirror.store.daysWaitingInAdopted() == [day.advanced(by: -400)])
        }
    }

    enum Damage: CaseIterable { case truncated, foundByVerification }

    /// Otherwise a person with a good copy would be told that the picture is already there.
    @Test(arguments: Damage.allCases)
    func aCopyOfADamagedPictureIsRejectedUntilItIsRepaired(damage: Damage) async throws {
        try await withMirror(days: 6) { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let picture = try mirror.tree.root.read(path) ?? []
            switch damage {
            case .truncated: try mirror.write("x", to: path)
            case .foundByVerification:
                try mirror.write(String(repeating: "x", count: picture.count), to: path)
                var state = VerifyState()
                let finding = try #require(try mirror.findings().first)
                state.record(
                    [Repair(finding: finding, action: .leftToSync)],
                    after: .init(of: .all, [finding]), at: .now)
                try mirror.store.write(state, to: Layout.verify)
            }
            try await withTemporaryFolder { folder in
                let source = try Directory(opening: folder)
                let name = Layout.split(path).name
                let day = try #require(FileName.day(of: name))
                try AtomicFile.publish(picture, in: source, as: name, through: source)

                #expect(try scan(source, mirror).contains("damaged"))
                let repair = try Verification(mirror.store).verify([day])
                #expect(repair.repairs.count == 1)
                #expect(try scan(source, mirror) == "")

                // A person repairs it, which verify.json does not know.
                try AtomicFile.publish(
                    picture, in: mirror.tree.root.makeDirectory(Layout.split(path).folder),
                    as: name,
                    through: source)
                #expect(try scan(source, mirror) == "already there")
            }
        }
    }

    /// The reasons why the files of `source` are not adopted.
    private func scan(_ source: Directory, _ mirror: MirrorUnderTest) throws -> String {
        let reasons = Monitor([String]())
        var adoption = try Adoption(of: source, into: mirror.store) { event in
            switch event {
            case .unrecognized(_, let reason): reasons.withLock { $0.append(reason) }
            case .present: reasons.withLock { $0.append("already there") }
            case .adopted, .failed: break
            }
        }
        adoption.scan()
        return reasons.withLock { $0.joined(separator: "; ") }
    }
}
