internal import CMicroHTTPD
internal import Glibc
internal import Platform

extension SimulatedResponse {
    /// The `MHD_Response` for the body; `nil` if its file cannot be opened.
    ///
    /// `end` is called at once for a plain body, before the last piece for a streamed one.
    func mhdResponse(held: HeldRequests, end: @escaping () -> Void) -> OpaquePointer? {
        unsafe isPlain ? plain(end: end) : streamed(held: held, end: end)
    }

    private func plain(end: () -> Void) -> OpaquePointer? {
        end()
        switch body {
        case .bytes(var bytes):
            return unsafe MHD_create_response_from_buffer(
                bytes.count, &bytes, .RESPMEM_MUST_COPY)
        case .file(let path, let offset, let count):
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            // The response closes the descriptor.
            return unsafe MHD_create_response_from_fd_at_offset64(
                UInt64(count), descriptor, UInt64(offset))
        case .repeated:
            return nil
        }
    }

    private func streamed(held: HeldRequests, end: @escaping () -> Void) -> OpaquePointer? {
        guard let stream = try? BodyStream(self, held: held, end: end) else { return nil }
        return unsafe MHD_create_response_from_callback(
            stream.claimedLength ?? .max, 64 << 10,
            { context, position, buffer, capacity in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
                let stream = unsafe Unmanaged<BodyStream>.fromOpaque(context).takeUnretainedValue()
                return unsafe stream.read(
                    at: Int(position), into: .init(start: buffer, count: capacity))
            },
            Unmanaged.passRetained(stream).toOpaque(),
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<BodyStream>.fromOpaque(context).release()
            })
    }
}
