/// The tests that run the whole program, each with a directory and a simulator of its own.
enum WholeProgram {}
