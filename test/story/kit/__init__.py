"""Helpers of the stories: servers, databases, model players, clients, judges."""
