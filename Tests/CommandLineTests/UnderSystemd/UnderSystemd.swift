import Testing

/// The tests of what is installed: in machines with a systemd of their own, one after the other.
@Suite(
    .serialized,
    .enabled(if: Machine.package != nil, "“make test-service” builds the package that this tests"))
enum UnderSystemd {}
