"""Sequences over tokens and characters: tagger, lemmatiser, tokeniser."""
