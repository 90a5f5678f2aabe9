internal import CLinux
internal import Glibc

/// The arguments of the process, its own name first; bytes that are not UTF-8 become U+FFFD.
///
/// Swift's own list is empty if certain libraries are preloaded.
package func processArguments() -> [String] {
    (0..<clinux_argument_count()).map { unsafe String(cString: clinux_argument($0)) }
}

/// The environment variables of the process; bytes that are not UTF-8 become U+FFFD.
package func processEnvironment() -> [String: String] {
    var values: [String: String] = [:]
    var next = unsafe environ
    while let variable = unsafe next.pointee {
        let text = unsafe String(cString: variable)
        if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
            values[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
        }
        unsafe next += 1
    }
    return values
}
