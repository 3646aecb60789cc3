"""Compiling kernels, and their building blocks: arrays, bits, random numbers."""
