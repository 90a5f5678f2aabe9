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
    private let responder: Responder

    init(port: UInt16, _ responder: Responder) throws(SystemError) {
        self.responder = responder
        let certificate = responder.settings.certificate
        let daemon = unsafe microhttpd_start(
            port, certificate?.chain, certificate?.key, handleRequest, completeRequest,
            Unmanaged.passUnretained(responder).toOpaque())
        guard let daemon = unsafe daemon else {
            throw SystemError("bind", path: "127.0.0.1:\(port)", code: errno)
        }
        self.port = unsafe microhttpd_port(daemon)
        self.daemon = Monitor(unsafe MicroHTTPDaemon(pointer: daemon))
    }

    deinit { stop() }

    /// Closes every connection and waits for its thread, which must not be blocked.
    func stop() {
        let daemon = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        if let daemon { unsafe MHD_stop_daemon(daemon.pointer) }
    }
}

/// A running `MHD_Daemon`; any thread may stop it.
@safe private struct MicroHTTPDaemon: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// One request, logged from its start to its end.
private final class ServerExchange {
    private let request: SimulatedRequest
    private let responder: Responder
    private var isOver = false

    init(_ request: SimulatedRequest, _ responder: Responder) {
        self.request = request
        self.responder = responder
        responder.log.begin(request)
    }

    func respond(on connection: OpaquePointer) -> MHD_Result {
        guard let simulated = responder.response(to: request) else {
            finish()
            return .NO
        }
        guard
            let response = unsafe simulated.mhdResponse(
                held: responder.held, end: { self.finish() })
        else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        for (name, value) in simulated.headers {
            _ = unsafe MHD_add_response_header(response, name, value)
        }
        return unsafe MHD_queue_response(connection, UInt32(simulated.status), response)
    }

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

/// MHD_RequestCompletedCallback: called at the end of each request.
private let completeRequest: MHD_RequestCompletedCallback = { _, _, state, _ in
    guard let state = unsafe state, let started = unsafe state.pointee else { return }
    unsafe Unmanaged<ServerExchange>.fromOpaque(started).takeRetainedValue().finish()
    unsafe state.pointee = nil
}
