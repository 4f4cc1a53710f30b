"""`python -m wikimem.faces.mcp [VAULT]`: what `wikimem install` enters in an agent's settings."""

import sys

from wikimem.faces.mcp import main

sys.exit(main())
