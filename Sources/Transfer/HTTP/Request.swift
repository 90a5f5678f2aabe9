internal import Platform

/// One request to one address; ``Client`` sends another one for each redirect and each attempt.
struct Request: Sendable {
    let address: WebURL
    let role: AddressPolicy.Role
    /// Which version or part of a file is wanted.
    var wanted = WantedContents.all
    /// The ``Response/cookies`` of an earlier request; libcurl sends each only to the host that set it.
    var cookies: [String] = []
    /// Whether libcurl decompresses the body of a feed or web page; a file is never decompressed.
    var acceptsCodings = true
    /// Receives the body of a successful response.
    let sink: any BodySink
}

/// Which version or part of a file a request asks for.
enum WantedContents: Sendable {
    case all
    /// The file, unless it still is the version that the caller has: then the server answers with status 304.
    case allUnless(FileVersion)
    /// The rest of a file that broke off, or all of it if it has changed.
    case rest(FileRest)

    /// The header lines that say so to the server, such as `If-None-Match: "3e8"`.
    var headers: [String] {
        switch self {
        case .all: []
        case .allUnless(let known): [known.header]
        case .rest(let rest): rest.headers
        }
    }
}

/// The response to a request, of any status.
struct Response: Sendable {
    let head: ResponseHead
    /// The start of the body if the response is unsuccessful, else empty; incomplete if the response broke off.
    let errorBody: [UInt8]
    /// The cookies of the request and of the response, in libcurl's notation.
    var cookies: [String] = []
}
