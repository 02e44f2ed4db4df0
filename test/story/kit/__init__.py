"""Helpers of the stories: servers, model players, clients, judges."""
import pytest

pytest.register_assert_rewrite("kit.answers", "kit.client")
