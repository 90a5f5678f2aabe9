import Testing

/// The tests of the whole program, which run one after another.
@Suite(.serialized) enum WholeProgram {}
