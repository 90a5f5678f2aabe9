package import APOD
package import FoundationEssentials
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
        /// The longest time for one picture, whatever it waits for, without that of a suspension.
        package var patience = Duration.seconds(90)
        /// Pictures that are decoded at once: more than one would not fit into the memory of the unit.
        package var width = 1

        package init() {}
    }

    let store: Store
    let files: ThumbnailStore
    private let book: RejectedPicturesFile
    let options: Options
    /// The picture whose rendition was tried last: what fails is not tried again and again.
    let lastRendered = Monitor(String?.none)
    /// What works now, or worked last.
    let latest = Monitor(Task<Void, Never>?.none)

    package init(store: Store, options: Options = Options()) {
        self.store = store
        self.options = options
        files = ThumbnailStore(store: store)
        book = RejectedPicturesFile(of: store)
    }

    // MARK: What is missing

    /// Whether the program that decodes is installed.
    package var isAvailable: Bool { options.program != nil }

    /// Whether there is room for a thumbnail.
    package var hasRoom: Bool { (try? files.hasRoom()) ?? false }

    /// The days whose picture has no thumbnail, or one of an earlier picture, newest first; without those
    /// whose picture was refused.
    ///
    /// What failed is among them once its retry is due at `now`, or where `ignoresBackoff`.
    package func missing(at now: Date = Date(), ignoresBackoff: Bool = false) throws -> [Day] {
        try wanted().days.filter { day in
            guard let refusal = try refusal(of: day) else { return true }
            guard let retry = refusal.retry else { return false }
            return ignoresBackoff || retry.due(at: now) <= now
        }.sorted(by: >)
    }

    /// When the next thumbnail that could not be made is tried again, `nil` where there is none.
    package func nextRetry(after now: Date = Date()) -> Date? {
        book.refused.refusals.values.compactMap { $0.retry?.due(at: now) }.min()
    }

    /// How many there are, and how many there are not.
    package func count() throws -> ThumbnailCount {
        let wanted = try wanted()
        let refused = try wanted.days.count { day in
            try refusal(of: day).map { $0.retry == nil } ?? false
        }
        return ThumbnailCount(
            complete: wanted.had.count, missing: wanted.days.count - refused, refused: refused)
    }

    /// The days that lack a thumbnail, and those that have the right one.
    private func wanted() throws -> (days: Set<Day>, had: Set<Day>) {
        let illustrated = try TreeIndex.illustrated(in: store.tree)
        let had = try TreeIndex.thumbnails(in: store.tree).intersection(illustrated)
        let stale = try files.replaced().intersection(had).filter { try isStale($0) }
        return (illustrated.subtracting(had).union(stale), had.subtracting(stale))
    }

    /// What is known against the picture that `day` has now.
    private func refusal(of day: Day) throws -> RejectedPictures.Refusal? {
        guard let refusal = book.refused.refusals[day] else { return nil }
        return try store.record(of: day)?.picture?.sha256 == refusal.sha256 ? refusal : nil
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
            let work = Task(executorPreference: ThreadPoolExecutor.shared) {
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
        let queue = Monitor(Queue(days: days[...]))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(options.width, days.count) {
                group.addTask {
                    var decoder = Decoder(
                        program: options.program ?? "", limits: options.limits,
                        patience: options.patience)
                    while let day = queue.withLock({ $0.days.popFirst() }) {
                        let thumbnail = await make(day, &decoder)
                        tell(thumbnail)
                        queue.withLock { $0.take(thumbnail) }
                    }
                }
            }
        }
        try? book.save()
    }

    /// What is still to be made in one go.
    private struct Queue {
        var days: ArraySlice<Day>
        /// How often in a row the process gave no verdict.
        private var deaths = 0

        init(days: ArraySlice<Day>) { self.days = days }

        /// So many pictures in a row hardly ever end it; what is wrong with it is wrong with all.
        private static let maximumDeaths = 8

        mutating func take(_ thumbnail: Thumbnail) {
            switch thumbnail.result {
            case .failure(.crashed): deaths += 1
            case .failure(let failure) where failure.isAboutAll: days = []
            default: deaths = 0
            }
            if deaths == Self.maximumDeaths { days = [] }
        }
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
            guard let record = try store.record(of: day)?.picture else {
                throw ThumbnailFailure.noPicture("it has no picture")
            }
            try files.checkRoom(for: day)
            let picture = try open(record)
            do throws(ThumbnailFailure) {
                try Self.checkKind(of: picture)
                let bytes = try await decoder.make(ThumbnailStamp(of: record.sha256), of: picture)
                do throws(SystemError) {
                    return try files.publish(bytes, of: day)
                } catch {
                    throw .system(error)
                }
            } catch {
                try mark(day, record, picture, error)
                throw error
            }
        } catch let failure as ThumbnailFailure {
            throw failure
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .failed("\(error)")
        }
    }

    func open(_ picture: PictureRecord) throws -> FileDescriptor {
        let file = try store.tree.root.open(picture.path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        let status = try file.status(path: picture.path)
        guard status.kind == .file, status.size == picture.bytes else {
            throw ThumbnailFailure.noPicture(
                "\(picture.path) is not the file of \(picture.bytes) bytes that the mirror fetched")
        }
        return file
    }

    /// Throws where the picture is of a kind that the program knows not to decode.
    private static func checkKind(
        of picture: borrowing FileDescriptor
    ) throws(ThumbnailFailure) {
        let supported: [MediaType] = [.jpeg, .png, .gif, .webp]
        // Of what is damaged the decoder says what is wrong.
        guard let type = try? MediaHeader(reading: picture).type, !supported.contains(type) else {
            return
        }
        throw .unsupported("thumbnails are not made of \(type.rawValue)")
    }

    /// Notes that the picture is not to be tried again, or not so soon.
    private func mark(
        _ day: Day, _ record: PictureRecord, _ picture: borrowing FileDescriptor,
        _ failure: ThumbnailFailure
    ) throws {
        guard !failure.isAboutAll else { return }
        if failure.isFinal {
            // What the disk damaged will be mended: the verdict must be about the picture itself.
            guard try picture.sha256(path: record.path) == record.sha256 else {
                book.postpone(
                    day, record.sha256, reason: "\(record.path) is not what its record says")
                return
            }
            book.refuse(day, record.sha256, reason: "\(failure)")
        } else {
            book.postpone(day, record.sha256, reason: "\(failure)")
        }
        // What ended one process is remembered before the next is started.
        if case .crashed = failure { try book.save() }
    }
}
