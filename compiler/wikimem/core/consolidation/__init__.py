"""Consolidation: what each step proposes for the wiki as it is, and by which rules a proposal is refused. Pure.

views        what a question to a model holds of a page
leads        two to five sentences at the head of a page
procedures   how often, and from when to when, a command was seen to work
links        pages that belong to a page, each with the reason
profiles     one line for each attribute of a person, a project or an environment
checks       the rules; whoever proposes, these decide
"""
