"""Tests, and the strategies that they share."""
