/// The version that `--version`, the User-Agent and the reports show.
package enum Version {
    package static let current = "0.1.0"
}
