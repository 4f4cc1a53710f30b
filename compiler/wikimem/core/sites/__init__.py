"""The static site, as values: what each of its pages shows. Not HTML, and not which files are written.

entries         what the site must know of every page       conversations   a session in parts, with its cited words
leaves          one page of the wiki, claim by claim        changes         what one commit changed
timelines       what held when, as a drawing                fronts          the home page and the lists
names           names in a text that lead to pages          lookup          the split search index
addresses       where everything lies                       twins           the same for machines
"""
