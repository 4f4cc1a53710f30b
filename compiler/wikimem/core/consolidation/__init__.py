"""Consolidation: what each step proposes for the wiki as it is, and by which rules a proposal is refused. Pure.

views        what a question to a model holds of a page
leads        two to five sentences at the head of a page
procedures   how often a command was seen to work; runbooks of commands in order
links        pages that belong to a page, each with the reason
profiles     one line for each attribute of a person, a project or an environment
themes       by which general words the lines of a person may be asked for
answers      pages for questions that are asked again and again
maps         pages that list all that there is of one kind
checks       the rules; whoever proposes, these decide
"""
