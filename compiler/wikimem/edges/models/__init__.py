"""Models: whoever answers the compiler's questions. One port, one module a model."""
