"""Compiling kernels, and what compiled code is made of: arrays, bits, random numbers."""
