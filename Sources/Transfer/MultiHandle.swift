internal import CCurl

/// Drives one transfer at a time on one thread, and keeps its connections; see libcurl-multi(3).
///
/// Other threads may call ``wakeUp()`` only.
@safe final class MultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer

    init() {
        guard let pointer = unsafe curl_multi_init() else {
            fatalError("curl_multi_init: out of memory")
        }
        unsafe self.pointer = pointer
        // The certificates of each TLS connection are megabytes: see Courier.
        _ = unsafe ccurl_multi_set_number(pointer, CURLMOPT_MAXCONNECTS, 1)
    }

    deinit {
        unsafe curl_multi_cleanup(pointer)
    }

    /// Ends the wait in ``perform(_:timeLeft:)``, to look again whether the transfer is wanted.
    func wakeUp() {
        unsafe curl_multi_wakeup(pointer)
    }

    /// Blocks until the transfer has ended.
    ///
    /// - Parameters:
    ///   - easy: The transfer.
    ///   - timeLeft: Called before each step with the socket that is waited for, or -1; how long the
    ///     transfer may still take, `nil` where it is to end now.
    /// - Returns: How it ended, `nil` where `timeLeft` ended it.
    func perform(
        _ easy: borrowing EasyHandle, timeLeft: (_ socket: CInt) -> Duration?
    ) -> CURLcode? {
        guard unsafe curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK else {
            return CURLE_FAILED_INIT
        }
        defer { unsafe curl_multi_remove_handle(pointer, easy.pointer) }
        while let time = timeLeft(unsafe ccurl_multi_socket(pointer)) {
            var running: CInt = 0
            guard unsafe curl_multi_perform(pointer, &running) == CURLM_OK else {
                return CURLE_OUT_OF_MEMORY
            }
            if running == 0 { return outcome() }
            // libcurl's own timers end the wait as well.
            let wait = min(time, .seconds(60)) / .milliseconds(1)
            unsafe curl_multi_poll(pointer, nil, 0, CInt(wait.rounded(.up)), nil)
        }
        return nil
    }

    private func outcome() -> CURLcode {
        var left: CInt = 0
        guard let message = unsafe curl_multi_info_read(pointer, &left) else {
            return CURLE_FAILED_INIT
        }
        return unsafe message.pointee.data.result
    }
}
