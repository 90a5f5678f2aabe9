internal import CCurl
internal import Platform
internal import Synchronization

/// A handle of libcurl that runs several transfers on one thread, and owns their connections; see libcurl-multi(3).
///
/// ``TransferThread`` calls ``perform()`` and ``poll(atMost:)`` in turns. Other threads may only call ``wakeUp()``.
@safe final class MultiHandle: @unchecked Sendable {
    /// The longest wait in ``poll(atMost:)`` while a transfer may use HTTP/2.
    ///
    /// libcurl 7.88 can leave the last data of a stream unread if they came together with data of another stream. Only the
    /// next ``perform()`` reads them, but libcurl would wait for more data, or for a timer of one second.
    static let longestHTTP2Wait = Duration.milliseconds(20)

    private let pointer: UnsafeMutableRawPointer

    /// Whether libcurl is initialized; if that failed, the next handle tries again.
    private static let isLibraryReady = Mutex(false)

    /// - Throws: ``MultiError`` if there is no memory, or, in later versions of libcurl, no file descriptor.
    init() throws(MultiError) {
        let isLibraryReady = Self.isLibraryReady.withLock { isReady in
            isReady = isReady || ccurl_global_init() == CURLE_OK
            return isReady
        }
        guard isLibraryReady, let pointer = unsafe curl_multi_init() else {
            throw MultiError(reason: "curl_multi_init: libcurl does not start")
        }
        unsafe self.pointer = pointer
        _ = unsafe ccurl_multi_set_number(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    deinit { unsafe curl_multi_cleanup(pointer) }

    /// Ends the wait in ``poll(atMost:)``.
    func wakeUp() { unsafe curl_multi_wakeup(pointer) }

    /// Limits the connections to each host; further transfers wait for one of them.
    func limitConnections(_ count: Int) {
        _ = unsafe ccurl_multi_set_number(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, count)
    }

    /// Adds a transfer, which the caller keeps until it is removed; returns `false` if libcurl rejects it.
    func add(_ easy: borrowing EasyHandle) -> Bool {
        unsafe curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK
    }

    func remove(_ easy: borrowing EasyHandle) {
        unsafe curl_multi_remove_handle(pointer, easy.pointer)
    }

    /// Sends and receives without waiting; returns the results of the ended transfers, which ``EasyHandle/id`` identifies.
    func perform() throws(MultiError) -> [(id: Int, code: CURLcode)] {
        var running: CInt = 0
        try check("curl_multi_perform", unsafe curl_multi_perform(pointer, &running))
        var ended: [(id: Int, code: CURLcode)] = []
        var left: CInt = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            let message = unsafe message.pointee
            unsafe ended.append((Int(bitPattern: message.easy_handle), message.data.result))
        }
        return ended
    }

    /// Waits for the network, for libcurl's own timers, or for ``wakeUp()``.
    func poll(atMost time: Duration) throws(MultiError) {
        // The C function cannot wait for more than 24 days. The caller polls again after a minute.
        let time = min(time, .seconds(60))
        let milliseconds = CInt((time / .milliseconds(1)).rounded(.up))
        try check("curl_multi_poll", unsafe curl_multi_poll(pointer, nil, 0, milliseconds, nil))
    }

    private func check(_ function: String, _ code: CURLMcode) throws(MultiError) {
        guard code != CURLM_OK else { return }
        let reason = unsafe String(cString: curl_multi_strerror(code))
        throw MultiError(reason: "\(function): \(reason)")
    }
}

/// Why a ``MultiHandle`` cannot continue its transfers, such as a lack of memory or of file descriptors.
struct MultiError: Error {
    let reason: String
}
