"""The edge of the static site: templates, markdown made harmless, the built folder, and what is remembered between builds.

templates   values become HTML        markup   people's and agents' markdown, sanitised
folder      what is written           book     what the last build knew
"""
