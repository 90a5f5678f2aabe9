import Testing

/// The tests of what is installed: each but the last in a machine with a systemd of its own, one after
/// the other.
@Suite(
    .serialized,
    .enabled(if: Machine.package != nil, "“make test-service” builds the package that this tests"))
enum UnderSystemd {}
