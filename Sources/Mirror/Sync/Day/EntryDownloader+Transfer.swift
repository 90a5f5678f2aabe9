internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// How an ``EntryDownloader`` transfers one picture or video into the folder `incoming/`, and checks the bytes that arrived.
extension EntryDownloader {
    /// A picture or video in `incoming/` whose contents were checked, with the server's answer.
    struct CheckedDownload {
        let file: DownloadedFile
        let response: DownloadResult
        let header: MediaHeader
    }

    /// Downloads one picture or video to a file in `incoming/` whose name begins with `name`, and checks it.
    ///
    /// - Returns: `nil` if the server says that the file still has the version `known`.
    /// - Throws: ``DayProblem``, `CancellationError`, or an error of this machine.
    func download(
        _ address: String, as name: String, isVideo: Bool = false, unless known: FileVersion?
    ) async throws -> CheckedDownload? {
        let draft = try store.draft(name)
        // The transfer reserves space only as the file grows. This check finds a disk that is full before the first byte.
        try store.checkFreeSpace(for: 1)
        let response: DownloadResult
        let refusal = SharedValue(MediaHeader.Refusal?.none)
        do throws(TransferError) {
            response = try await request(address) { () async throws(TransferError) in
                try await synchronizer.client.download(
                    address, into: draft.file, limit: Layout.largestFile, unless: known,
                    space: store.space,
                    start: startCheck(of: address, isVideo: isVideo, storingRefusalIn: refusal),
                    progress: { bytes in synchronizer.traffic.withLock { $0 += bytes } })
            }
        } catch .notModified {
            return nil
        } catch {
            var problem = try DayProblem(error, of: address)
            if refusal.withLock(\.self)?.isOtherKind == true { problem.detail = .refusal }
            throw problem
        }
        // The server may have redirected to NASA's logo, which is a picture, too.
        // mutation test: placeholder-redirect (see Tests/Mutants)
        if Placeholder.isName(response.address) {
            throw DayProblem(.unusable, "\(address) leads to NASA's placeholder")
        }
        let header = try checkedHeader(of: draft, from: address, isVideo: isVideo)
        let file = DownloadedFile(draft, received: response.bytes)
        return CheckedDownload(file: file, response: response, header: header)
    }

    /// A check of the first bytes, so that a file of another type is not downloaded.
    ///
    /// It stores why it has refused them in `refusal`, because the error of the transfer has only the text.
    private func startCheck(
        of address: String, isVideo: Bool,
        storingRefusalIn refusal: SharedValue<MediaHeader.Refusal?>
    ) -> StartCheck {
        StartCheck(length: MediaType.magicLength) { start in
            // The host answers, however long the transfer takes.
            hostFailures.recordAnswer(from: address)
            do throws(MediaHeader.Refusal) {
                try MediaType(start: start).check(isVideo: isVideo)
            } catch {
                refusal.withLock { $0 = error }
                throw error
            }
        }
    }

    /// Reads the header of a downloaded file, and checks header and end.
    private func checkedHeader(
        of draft: borrowing AtomicFile, from address: String, isVideo: Bool
    ) throws -> MediaHeader {
        let header = try MediaHeader.reading(whole: draft.file, path: draft.path) {
            header throws(MediaHeader.Refusal) in
            try header.type.check(isVideo: isVideo)
            try header.checkSize()
        }
        switch header {
        case .success(let header): return header
        case .failure(let refusal):
            let detail: DayProblem.Detail = refusal.isOtherKind ? .refusal : .none
            throw DayProblem(.unusable, "\(address) is \(refusal)", detail)
        }
    }

    /// Sends a request for `address` by `send`, unless its host has failed too often: see ``HostFailures``.
    func request<Response: Sendable>(
        _ address: String, by send: () async throws(TransferError) -> Response
    ) async throws(TransferError) -> Response {
        try hostFailures.check(address)
        do throws(TransferError) {
            let response = try await send()
            hostFailures.recordAnswer(from: address)
            return response
        } catch {
            hostFailures.record(error, of: address)
            throw error
        }
    }
}

/// A picture or video in `incoming/` that was downloaded, or imported by `adopt`, and checked, but is not published yet.
final class DownloadedFile: Sendable {
    let draft: AtomicFile
    /// The number of bytes that came over the network; 0 for a picture that `adopt` imported.
    let received: Int

    init(_ draft: consuming AtomicFile, received: Int) {
        self.draft = draft
        self.received = received
    }
}
