import Glibc

/// Runs `body` while only `left` more descriptors can be opened.
///
/// For exit tests, because the limit is per process. All are counted, because descriptors of any number
/// may be inherited.
package func withFewDescriptors<Result>(
    left: Int = 0, _ body: () throws -> Result
) rethrows -> Result {
    let resource = __rlimit_resource_t(7)
    var limits = rlimit()
    unsafe getrlimit(resource, &limits)
    // More than a process inherits, and few enough to open all.
    limits.rlim_cur = min(limits.rlim_max, 8192)
    unsafe setrlimit(resource, &limits)
    var taken: [Int32] = []
    while case let copy = dup(0), copy >= 0 { taken.append(copy) }
    for copy in taken.suffix(left) { close(copy) }
    defer { for copy in taken.dropLast(left) { close(copy) } }
    return try body()
}
