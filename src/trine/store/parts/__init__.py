"""The parts of the interface of the store, a noun each."""
