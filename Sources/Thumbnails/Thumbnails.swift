package import APOD
internal import Glibc
package import Mirror
internal import Platform
package import ThumbnailProtocol

/// The small pictures of a mirror: which are missing, and how they are made.
///
/// Pictures are decoded in processes of their own, see ``ThumbnailerLimits``: nothing in a picture can
/// harm this one.
package struct Thumbnails: Sendable {
    package struct Options: Sendable {
        /// The program that decodes, `nil` where it is not installed.
        package var program = Installation.helper("apod-mirror-thumbnailer")
        package var limits = ThumbnailerLimits.usual
        /// The longest time for one picture, whatever it waits for.
        package var patience = Duration.seconds(90)
        /// Pictures that are decoded at once.
        package var width = 2

        package init() {}
    }

    private let store: Store
    private let files: ThumbnailStore
    private let book: RefusalBook
    private let options: Options
    /// What works now, or worked last.
    private let latest = Monitor(Task<Void, Never>?.none)

    package init(store: Store, options: Options = Options()) {
        self.store = store
        self.options = options
        files = ThumbnailStore(store: store)
        book = RefusalBook(of: store)
    }

    // MARK: What is missing

    /// The days whose picture has no thumbnail, or one of an earlier picture, newest first; without those
    /// whose picture was refused.
    package func missing() throws -> [Day] {
        try wanted().days.filter { try !isRefused($0) }.sorted(by: >)
    }

    /// How many there are, and how many there are not.
    package func count() throws -> ThumbnailCount {
        let wanted = try wanted()
        let refused = try wanted.days.count { try isRefused($0) }
        return ThumbnailCount(
            complete: wanted.had.count, missing: wanted.days.count - refused, refused: refused)
    }

    /// The days that lack a thumbnail, and those that have the right one.
    private func wanted() throws -> (days: Set<Day>, had: Set<Day>) {
        let illustrated = try Census.illustrated(in: store.tree)
        let had = try Census.thumbnails(in: store.tree).intersection(illustrated)
        let stale = try files.replaced().intersection(had).filter { try isStale($0) }
        return (illustrated.subtracting(had).union(stale), had.subtracting(stale))
    }

    private func isRefused(_ day: Day) throws -> Bool {
        guard let refusal = book.refused.refusals[day] else { return false }
        return try store.record(of: day)?.picture?.sha256 == refusal.sha256
    }

    private func isStale(_ day: Day) throws -> Bool {
        guard let picture = try store.record(of: day)?.picture else { return false }
        return files.stamp(of: day)?.sha256 != picture.sha256
    }

    // MARK: Making them

    /// Makes the thumbnails of `days`, whether they have one or not, once no earlier call works any more.
    ///
    /// - Returns: Each as soon as it is there, in no order; all that is left undone where none can be
    ///   made is not told of. Dropping the stream ends the work and the processes.
    package func thumbnails(of days: [Day]) -> AsyncStream<Thumbnail> {
        let (stream, continuation) = AsyncStream.makeStream(of: Thumbnail.self)
        let work = latest.withLock { latest in
            let earlier = latest
            let work = Task(executorPreference: Workers.shared) {
                defer { continuation.finish() }
                // Two would write the same files, and one whose stream was dropped takes a moment to end.
                await earlier?.value
                await make(days) { continuation.yield($0) }
            }
            latest = work
            return work
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }

    private func make(_ days: [Day], tell: @escaping @Sendable (Thumbnail) -> Void) async {
        guard let first = days.first, !Task.isCancelled else { return }
        do throws(SystemError) {
            try files.prepare()
        } catch {
            return tell(Thumbnail(day: first, result: .failure(.system(error))))
        }
        let queue = Monitor(days[...])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(options.width, days.count) {
                group.addTask {
                    var decoder = Decoder(
                        program: options.program ?? "", limits: options.limits,
                        patience: options.patience)
                    while let day = queue.withLock({ $0.popFirst() }) {
                        let thumbnail = await make(day, &decoder)
                        tell(thumbnail)
                        if case .failure(let failure) = thumbnail.result, failure.isAboutAll {
                            queue.withLock { $0 = [] }
                        }
                    }
                }
            }
        }
        try? book.save()
    }

    private func make(_ day: Day, _ decoder: inout Decoder) async -> Thumbnail {
        do throws(ThumbnailFailure) {
            let path = try await publish(day, &decoder)
            book.forget(day)
            return Thumbnail(day: day, result: .success(path))
        } catch {
            return Thumbnail(day: day, result: .failure(error))
        }
    }

    private func publish(
        _ day: Day, _ decoder: inout Decoder
    ) async throws(ThumbnailFailure) -> String {
        guard options.program != nil else {
            throw .unavailable("apod-mirror-thumbnailer is not installed beside this program")
        }
        do {
            let record = try store.record(of: day)?.picture
            guard let record else { throw ThumbnailFailure.noPicture("it has no picture") }
            let picture = try open(record)
            let draft = try files.draft(day)
            let stamp = ThumbnailStamp(of: record.sha256)
            do throws(ThumbnailFailure) {
                try await decoder.make(
                    ThumbnailOrder(stamp: "\(stamp)"), of: picture, into: draft.file)
                try Self.check(draft.file, stamp)
            } catch {
                if error.isFinal { try mark(day, record, error) }
                throw error
            }
            return try files.publish(draft, of: day)
        } catch let failure as ThumbnailFailure {
            throw failure
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .failed("\(error)")
        }
    }

    private func open(_ picture: PictureRecord) throws -> FileDescriptor {
        let file = try store.tree.root.open(picture.path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        let status = try file.status(path: picture.path)
        guard status.kind == .file, status.size == picture.bytes else {
            throw ThumbnailFailure.noPicture(
                "\(picture.path) is not the file of \(picture.bytes) bytes that the mirror fetched")
        }
        return file
    }

    private static let maximumSide = 512

    /// What comes from a process that decodes strange files is looked at like one.
    private static func check(
        _ thumbnail: borrowing FileDescriptor, _ stamp: ThumbnailStamp
    ) throws(ThumbnailFailure) {
        let header = try? MediaHeader(reading: thumbnail)
        guard let header, header.type == .jpeg, let size = header.size,
            max(size.width, size.height) <= maximumSide, ThumbnailStamp(of: thumbnail) == stamp
        else {
            throw .deadly("it made something else than a thumbnail")
        }
    }

    /// Notes that the picture is not to be tried again; where it was deadly, before anything else is.
    private func mark(_ day: Day, _ picture: PictureRecord, _ failure: ThumbnailFailure) throws {
        book.refuse(day, picture.sha256, reason: "\(failure)")
        if case .deadly = failure { try book.save() }
    }
}
