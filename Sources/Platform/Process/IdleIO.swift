internal import CLinux

/// Runs `body` with the lowest I/O priority of its thread; see ioprio_set(2).
///
/// Where that is not permitted, `body` runs with the usual priority.
package func withIdleIO<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    let before = clinux_io_priority()
    guard before >= 0, clinux_set_io_priority(CLINUX_IO_IDLE) == 0 else { return try body() }
    defer { _ = clinux_set_io_priority(before) }
    return try body()
}
