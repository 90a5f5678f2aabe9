import Testing

/// The tests of the program from outside that want the machine for themselves: one after the other.
@Suite(.serialized) enum WholeProgram {}
