internal import CMicroHTTPD
internal import Glibc
internal import Platform

/// An HTTP/1.1 server on 127.0.0.1 by libmicrohttpd, with a thread for each connection.
///
/// Each request is logged as it arrives and answered by `answer`, which may block; `nil` closes the
/// connection without a byte. It is over just before its client can have the last byte, or when the
/// connection broke: so the log never counts one that its client is done with.
final class HTTPServer: Sendable {
    typealias Classify = @Sendable (SimulatedRequest) -> LoggedRequest
    typealias Respond = @Sendable (SimulatedRequest, LoggedRequest) -> SimulatedResponse?

    let port: UInt16
    private let daemon: Monitor<MicroHTTPDaemon?>
    private let handler: Handler

    init(
        port: UInt16, held: HeldRequests, log: RequestLog, classify: @escaping Classify,
        answer: @escaping Respond
    ) throws(SystemError) {
        let socket = try ListeningSocket(port: port)
        self.port = socket.port
        handler = Handler(held: held, log: log, classify: classify, respond: answer)
        let descriptor = socket.take()
        let daemon = unsafe microhttpd_start(
            descriptor, answerRequest, completeRequest,
            Unmanaged.passUnretained(handler).toOpaque())
        guard let daemon = unsafe daemon else {
            let code = errno
            close(descriptor)
            throw SystemError("MHD_start_daemon", path: "127.0.0.1:\(self.port)", code: code)
        }
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

/// The state that all threads of the server share.
private final class Handler: Sendable {
    let held: HeldRequests
    let log: RequestLog
    let classify: HTTPServer.Classify
    let respond: HTTPServer.Respond

    init(
        held: HeldRequests, log: RequestLog, classify: @escaping HTTPServer.Classify,
        respond: @escaping HTTPServer.Respond
    ) {
        self.held = held
        self.log = log
        self.classify = classify
        self.respond = respond
    }

    func answer(_ exchange: ServerExchange, on connection: OpaquePointer) -> MHD_Result {
        guard let answer = respond(exchange.request, exchange.logged) else {
            exchange.finish()
            return .NO
        }
        guard let response = unsafe OpaquePointer(answer, held: held, end: exchange.finish) else {
            return .NO
        }
        defer { unsafe MHD_destroy_response(response) }
        for (name, value) in answer.headers {
            _ = unsafe MHD_add_response_header(response, name, value)
        }
        return unsafe MHD_queue_response(connection, UInt32(answer.status), response)
    }
}

/// One request, logged from its start to its end.
private final class ServerExchange {
    let request: SimulatedRequest
    let logged: LoggedRequest
    private let log: RequestLog
    private var isOver = false

    init(_ request: SimulatedRequest, _ handler: Handler) {
        self.request = request
        logged = handler.classify(request)
        log = handler.log
        log.begin(logged)
    }

    func finish() {
        guard !isOver else { return }
        isOver = true
        log.end(logged)
    }
}

/// MHD_AccessHandlerCallback: once for the headers, once for each part of a body, once at the end.
private let answerRequest: MHD_AccessHandlerCallback = {
    context, connection, url, method, _, _, uploaded, state in
    guard let context = unsafe context, let connection = unsafe connection,
        let state = unsafe state, let url = unsafe url, let method = unsafe method
    else { return .NO }
    let handler = unsafe Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
    guard let started = unsafe state.pointee else {
        let request = unsafe SimulatedRequest(connection, url: url, method: method)
        unsafe state.pointee =
            Unmanaged.passRetained(ServerExchange(request, handler)).toOpaque()
        return .YES
    }
    if let uploaded = unsafe uploaded, unsafe uploaded.pointee > 0 {
        unsafe uploaded.pointee = 0
        return .YES
    }
    let exchange = unsafe Unmanaged<ServerExchange>.fromOpaque(started).takeUnretainedValue()
    return unsafe handler.answer(exchange, on: connection)
}

/// MHD_RequestCompletedCallback: called at the end of each request.
private let completeRequest: MHD_RequestCompletedCallback = { _, _, state, _ in
    guard let state = unsafe state, let started = unsafe state.pointee else { return }
    unsafe Unmanaged<ServerExchange>.fromOpaque(started).takeRetainedValue().finish()
    unsafe state.pointee = nil
}
