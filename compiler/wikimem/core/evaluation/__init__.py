"""Evaluation: figures of how well memory is compiled and recalled. Values and arithmetic only; nothing is asked here.

cases       a question with the places that answer it
figures     rows, one a question, to figures by category
compiled    what compiling made of the sources
gates       limits that figures must keep
comparing   two reports, question by question
offtopic    a hundred questions that a memory of other things should answer with nothing
"""
