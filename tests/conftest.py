"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No test fails because a machine is slow: no example because it takes long, and none because its making does.
settings.register_profile(
    "any machine", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
