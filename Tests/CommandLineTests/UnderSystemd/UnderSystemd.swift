import Testing

/// The tests of the installation, in containers with their own systemd, one after another.
@Suite(
    .serialized,
    .enabled(if: Machine.package != nil, "“make test-machine” builds the package that this tests"))
enum UnderSystemd {}
