internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The download of a picture or a video from one address to a file in `incoming/`, and the check of its contents.
struct FileDownload {
    /// A picture or video whose contents were checked, with the server's answer.
    struct Checked {
        let file: IncomingFile
        let response: DownloadResult
        let header: MediaHeader
    }

    let downloader: EntryDownloader
    let kind: DayRecord.FileKind
    let address: String
    /// The source in the name of the draft: see ``UnfinishedDownloads/draftName(of:source:)``.
    let source: String
    /// The version that is not to be downloaded again; `nil` to download any version.
    var known: FileVersion?

    private var store: Store { downloader.store }
    private var isVideo: Bool { kind == .video }

    /// Downloads and checks the file.
    ///
    /// - Returns: `nil` if the server says that the file still has the version ``known``.
    /// - Throws: ``DayProblem``, `CancellationError`, or an error of this machine.
    func run() async throws -> Checked? {
        let draft = try store.makeDraft(
            UnfinishedDownloads.draftName(of: downloader.entry.day, source: source))
        // The transfer reserves space only as the file grows. This check finds a disk that is full before the first byte.
        try store.checkFreeSpace(for: 1)
        guard let response = try await transfer(into: draft) else { return nil }
        // The server may have redirected to NASA's logo or another generic picture, which is a picture, too.
        // mutation test: placeholder-redirect (see Tests/Mutants)
        if Placeholder.isRedirect(of: address, to: response.address) {
            throw DayProblem(.unusable, "\(address) leads to NASA's placeholder")
        }
        let header = try checkedHeader(of: draft)
        return Checked(
            file: IncomingFile(draft, received: response.bytes), response: response,
            header: header)
    }

    /// Transfers the file, if its first bytes show the wanted type; returns `nil` if it still has the version ``known``.
    private func transfer(into draft: borrowing AtomicFile) async throws -> DownloadResult? {
        do throws(TransferError) {
            return try await downloader.hostFailures.request(address, for: downloader.entry.day) {
                () async throws(TransferError) in
                let synchronizer = downloader.synchronizer
                return try await synchronizer.client.download(
                    address, into: draft.file, path: draft.path, limit: Layout.largestFile,
                    unless: known, space: store.space, start: typeCheck,
                    progress: { bytes in synchronizer.traffic.withLock { $0 += bytes } })
            }
        } catch .notModified {
            return nil
        } catch {
            throw try DayProblem(error, of: address)
        }
    }

    /// Rejects a file whose first bytes are not those of the wanted type.
    private var typeCheck: StartCheck {
        StartCheck(length: MediaType.magicLength) { start, sender throws(TransferError) in
            // Recorded before the transfer ends, because a large file takes long.
            downloader.hostFailures.recordAnswer(from: address)
            do throws(MediaHeader.Refusal) {
                try MediaType(start: start).check(isVideo: isVideo)
            } catch {
                throw .rejected(address: sender, reason: "\(error)", isOtherKind: error.isOtherKind)
            }
        }
    }

    /// Reads the header of a downloaded file, and checks header and end.
    private func checkedHeader(of draft: borrowing AtomicFile) throws -> MediaHeader {
        let header = try MediaHeader.reading(whole: draft.file, path: draft.path) {
            header throws(MediaHeader.Refusal) in
            try header.type.check(isVideo: isVideo)
            try header.checkSize()
        }
        return try header.mapError { refusal in
            DayProblem(
                .unusable, "\(address) is \(refusal)", refusal.isOtherKind ? .refusal : .none)
        }.get()
    }
}
