"""Estimators in files: arrays under a schema, never code."""
