"""What holds for all tests."""

from __future__ import annotations

import os

# scipy reads this when it is imported; without it scikit-learn skips a check.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
