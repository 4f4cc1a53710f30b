"""`python -m wikimem`: the command line, where its script is not on the path."""

from wikimem.faces.cli import main

if __name__ == "__main__":
    main()
