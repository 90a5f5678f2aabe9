internal import CLinux
internal import Glibc

// The arguments and the variables of this process; what is not UTF-8 in them is replaced by U+FFFD.

/// The arguments of the process, its own name first; Swift's own list is empty after some preloaded libraries.
package func processArguments() -> [String] {
    (0..<clinux_argument_count()).map { unsafe String(cString: clinux_argument($0)) }
}

/// The variables of the process.
package func processEnvironment() -> [String: String] {
    var values: [String: String] = [:]
    var next = unsafe environ
    while let variable = unsafe next.pointee {
        let parts = unsafe String(cString: variable).utf8
            .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        if parts.count == 2 { values[parts[0]] = parts[1] }
        unsafe next += 1
    }
    return values
}
