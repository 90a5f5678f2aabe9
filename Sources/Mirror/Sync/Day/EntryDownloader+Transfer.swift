internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The transfer of one picture or video into `incoming/`, and the check of the bytes that arrived.
///
/// The mark `mutation test: …` is for Tests/Mutants.
extension EntryDownloader {
    /// A downloaded file whose contents were checked, with the server's answer.
    struct Download {
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
    ) async throws -> Download? {
        let draft = try store.draft(name)
        // The transfer reserves space only as the file grows. This check finds a disk that is full before the first byte.
        try store.checkFreeSpace(for: 1)
        let response: DownloadResult
        let refusal = SharedValue(MediaHeader.Refusal?.none)
        do throws(TransferError) {
            response = try await transfer(
                address, into: draft, isVideo: isVideo, unless: known, recordingIn: refusal)
        } catch .notModified {
            return nil
        } catch {
            var problem = try DayProblem(error, of: address)
            if refusal.withLock(\.self)?.isOtherKind == true { problem.detail = .refusal }
            throw problem
        }
        // The server may have redirected to NASA's logo, which is a picture, too.
        // mutation test: placeholder-redirect
        if Placeholder.isName(response.address) { throw DayProblem.placeholder(at: address) }
        let header = try checkedHeader(of: draft, from: address, isVideo: isVideo)
        let file = DownloadedFile(draft, received: response.bytes)
        return Download(file: file, response: response, header: header)
    }

    /// Transfers the file, and checks its type when the first bytes arrive, so that a file of another type is not downloaded.
    ///
    /// Why the type is refused is recorded in `refusal`, because the error has only the text.
    private func transfer(
        _ address: String, into draft: borrowing AtomicFile, isVideo: Bool,
        unless known: FileVersion?, recordingIn refusal: SharedValue<MediaHeader.Refusal?>
    ) async throws(TransferError) -> DownloadResult {
        try await request(address) { () async throws(TransferError) in
            try await synchronizer.client.download(
                address, into: draft.file, limit: Layout.largestFile, unless: known,
                space: store.space,
                start: .init(length: MediaType.magicLength) { start in
                    // The host answers, however long the transfer takes. Not recorded for each piece, because this parses
                    // the address.
                    hosts.recordAnswer(from: address)
                    do throws(MediaHeader.Refusal) {
                        try MediaType(start: start).check(isVideo: isVideo)
                    } catch {
                        refusal.withLock { $0 = error }
                        throw error
                    }
                },
                progress: { bytes in synchronizer.traffic.withLock { $0 += bytes } })
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
        case .failure(let refusal): throw DayProblem(ofContents: refusal, of: address)
        }
    }

    /// Sends a request for `address` by `send`, unless its host has failed too often: see ``HostFailures``.
    func request<Response: Sendable>(
        _ address: String, by send: () async throws(TransferError) -> Response
    ) async throws(TransferError) -> Response {
        try hosts.check(address)
        do throws(TransferError) {
            let response = try await send()
            hosts.recordAnswer(from: address)
            return response
        } catch {
            hosts.record(error, of: address)
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
