internal import Platform
internal import Transfer

/// Downloads one file, and checks what it is.
extension EntryDownloader {
    /// - Throws: ``Problem`` or an error of this machine; ``TransferError/notModified(address:)`` if the file
    ///   still has the version `known`.
    func download(
        _ address: String, into file: borrowing FileDescriptor, unless known: FileVersion? = nil
    ) async throws -> DownloadResult {
        try store.checkFreeSpace(for: 1)
        do {
            return try await client.download(
                address, into: file, limit: Layout.largestFile, unless: known,
                space: store.space, progress: synchronizer.traffic.add)
        } catch .noSpace {
            throw Problem(
                cause: .localError,
                reason:
                    "\(address) does not fit on the disk beside other downloads; free disk space or"
                    + " lower --min-free")
        } catch {
            switch error {
            case .file(let error): throw error
            case .cancelled: throw CancellationError()
            case .notModified: throw error
            default:
                throw Problem(
                    cause: error.isOfServer ? .unreachable : .unusable, reason: "\(error)")
            }
        }
    }

    func header(of file: borrowing FileDescriptor, at address: String) throws -> MediaHeader {
        do {
            let header = try MediaHeader(reading: file)
            // mutant: media-end
            try header.checkEnd(of: file)
            return header
        } catch {
            client.metrics.add(.unusable)
            throw Problem(cause: .unusable, reason: "\(address) is \(error)")
        }
    }
}

extension TransferError {
    /// Whether the network or the server failed, so that nothing is known about the requested resource.
    var isOfServer: Bool {
        switch self {
        case .refused(_, let status, _): status >= 500 || [408, 425, 429].contains(status)
        case .unreachable, .throttled, .broken: true
        case .forbidden, .tooLong, .noSpace, .file, .cancelled, .notModified: false
        }
    }
}
