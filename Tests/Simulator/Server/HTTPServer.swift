internal import CMicroHTTPD
internal import Glibc
internal import Platform

/// An HTTP/1.1 server on 127.0.0.1 by libmicrohttpd, with a thread for each connection.
///
/// Each request is logged as it arrives and passed to the responder, which may block; a response of
/// `nil` closes the connection without a byte. A request ends just before its client can receive the last
/// byte, or when the connection breaks: the log never counts one that its client has finished.
final class HTTPServer: Sendable {
    let port: UInt16
    private let daemon: Monitor<MicroHTTPDaemon?>
    /// After ``stop()``, what keeps the port: else the server of another test might get it, and answer for this one.
    private let kept = Monitor<CInt>(-1)
    private let responder: Responder

    init(port: UInt16, _ responder: Responder) throws(SystemError) {
        self.responder = responder
        let daemon = unsafe microhttpd_start(
            port, handleRequest, completeRequest,
            Unmanaged.passUnretained(responder).toOpaque())
        guard let daemon = unsafe daemon else {
            throw SystemError("bind", path: "127.0.0.1:\(port)", code: errno)
        }
        self.port = unsafe microhttpd_port(daemon)
        self.daemon = Monitor(unsafe MicroHTTPDaemon(pointer: daemon))
    }

    deinit {
        stop()
        kept.withLock { if $0 >= 0 { close($0) } }
    }

    /// Closes every connection and waits for its thread, which must not be blocked.
    func stop() {
        let daemon = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let daemon else { return }
        unsafe MHD_stop_daemon(daemon.pointer)
        kept.withLock { $0 = microhttpd_keep(port) }
    }
}

/// A running `MHD_Daemon`; any thread may stop it.
@safe private struct MicroHTTPDaemon: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// One request, logged from its start to its end, and its response.
private final class ServerExchange {
    private let request: SimulatedRequest
    private let responder: Responder
    private var response = SimulatedResponse()
    private var isOver = false
    /// The releases before it: a later one ends the pace of its response.
    private let releases: Int

    init(_ request: SimulatedRequest, _ responder: Responder) {
        self.request = request
        self.responder = responder
        releases = responder.held.releases
        responder.log.begin(request)
    }

    func respond(on connection: OpaquePointer) -> MHD_Result {
        guard let response = responder.response(to: request) else {
            finish()
            return .NO
        }
        self.response = response
        if response.length == 0 || request.method == "HEAD" { finish() }
        let length = response.claimedLength ?? response.body.count
        // This exchange lives until its request is completed, which is after the last piece.
        let queued = unsafe MHD_create_response_from_callback(
            response.repeatedLength == nil ? UInt64(length) : .max, 64 << 10, readBody,
            Unmanaged.passUnretained(self).toOpaque(), nil)
        defer { unsafe MHD_destroy_response(queued) }
        for (name, value) in response.headers {
            _ = unsafe MHD_add_response_header(queued, name, value)
        }
        return unsafe MHD_queue_response(connection, UInt32(response.status), queued)
    }

    /// Copies bytes of the body at `position` into `buffer`; see MHD_ContentReaderCallback.
    func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let left = response.length - position
        guard left > 0 else {
            finish()
            return response.isWhole ? Self.endOfBody : Self.failure
        }
        var count = min(buffer.count, left)
        if let pace = response.pace, responder.held.releases == releases {
            count = min(count, max(1, pace / 20))
            guard responder.held.pause(.seconds(1) * count / pace, since: releases) else {
                return Self.failure
            }
        }
        if count == left { finish() }
        let body = response.body
        if response.repeatedLength == nil {
            unsafe buffer.copyBytes(from: body[position..<position + count])
        } else {
            for index in 0..<count { unsafe buffer[index] = body[(position + index) % body.count] }
        }
        return count
    }

    // The macros MHD_CONTENT_READER_END_OF_STREAM and MHD_CONTENT_READER_END_WITH_ERROR.
    private static let endOfBody = -1
    static let failure = -2

    func finish() {
        guard !isOver else { return }
        isOver = true
        responder.log.end(request)
    }
}

/// MHD_AccessHandlerCallback: once for the headers, once for each part of a body, once at the end.
private let handleRequest: MHD_AccessHandlerCallback = {
    context, connection, url, method, _, _, uploaded, state in
    guard let context = unsafe context, let connection = unsafe connection,
        let state = unsafe state, let url = unsafe url, let method = unsafe method
    else { return .NO }
    guard let started = unsafe state.pointee else {
        let responder = unsafe Unmanaged<Responder>.fromOpaque(context).takeUnretainedValue()
        let request = unsafe SimulatedRequest(
            connection, url: url, method: method, catalog: responder.catalog.withLock { $0 })
        unsafe state.pointee =
            Unmanaged.passRetained(ServerExchange(request, responder)).toOpaque()
        return .YES
    }
    if let uploaded = unsafe uploaded, unsafe uploaded.pointee > 0 {
        unsafe uploaded.pointee = 0
        return .YES
    }
    let exchange = unsafe Unmanaged<ServerExchange>.fromOpaque(started).takeUnretainedValue()
    return unsafe exchange.respond(on: connection)
}

private let readBody: MHD_ContentReaderCallback = { context, position, buffer, capacity in
    guard let context = unsafe context, let buffer = unsafe buffer else {
        return ServerExchange.failure
    }
    let exchange = unsafe Unmanaged<ServerExchange>.fromOpaque(context).takeUnretainedValue()
    return unsafe exchange.read(at: Int(position), into: .init(start: buffer, count: capacity))
}

/// MHD_RequestCompletedCallback: called at the end of each request.
private let completeRequest: MHD_RequestCompletedCallback = { _, _, state, _ in
    guard let state = unsafe state, let started = unsafe state.pointee else { return }
    unsafe Unmanaged<ServerExchange>.fromOpaque(started).takeRetainedValue().finish()
    unsafe state.pointee = nil
}
