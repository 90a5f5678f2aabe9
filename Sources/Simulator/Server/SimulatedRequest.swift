internal import CMicroHTTPD

/// A request; path and query are percent-decoded.
struct SimulatedRequest: Sendable {
    var method: String
    var path: String
    var query: [String: String]
    /// By name in lower case.
    var headers: [String: String]
}

extension SimulatedRequest {
    /// Copies what libmicrohttpd parsed.
    init(
        _ connection: OpaquePointer, url: UnsafePointer<CChar>, method: UnsafePointer<CChar>
    ) {
        self.init(
            method: unsafe String(cString: method), path: unsafe String(cString: url),
            query: unsafe values(of: connection, .GET_ARGUMENT_KIND),
            headers: [:])
        for (name, value) in unsafe values(of: connection, .HEADER_KIND) {
            headers[name.lowercased()] = value
        }
    }
}

private func values(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [String: String] {
    var values: [String: String] = [:]
    unsafe withUnsafeMutablePointer(to: &values) { values in
        _ = unsafe MHD_get_connection_values(
            connection, kind,
            { context, _, name, value in
                if let values = unsafe context?.assumingMemoryBound(to: [String: String].self),
                    let name = unsafe name
                {
                    unsafe values.pointee[String(cString: name)] =
                        value.map { unsafe String(cString: $0) } ?? ""
                }
                return .YES
            }, values)
    }
    return values
}
