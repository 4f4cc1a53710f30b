"""Publishing: the steps of building a site: gather what is there, decide what is new, draw that, in several processes.

workers     several processes, or none       drawing     one page, one session, one commit
gathering   the wiki's files                 overviews   home, lists, feed, graph, what machines read
steps       the commits                      indexing    the search index
"""
