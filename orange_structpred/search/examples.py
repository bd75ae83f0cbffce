"""Patterns to start from."""
from __future__ import annotations

#: pairs of what is found and a pattern
EXAMPLE_PATTERNS: tuple[tuple[str, str], ...] = (
    ("Nouns", "upos=NOUN"),
    ("Objects of a verb", "rel=obj head.upos=VERB"),
    ("A word by its ending", "form=/.*ing/i"),
    ("Verbs with subject and object",
     "pattern {\n  V [upos=VERB];\n  V -[1=nsubj]-> S;\n  V -[1=obj]-> O\n}"),
    ("Verbs without a subject",
     "pattern { V [upos=VERB] }\nwithout { V -[1=nsubj|csubj]-> * }"),
    ("Passives", "pattern { V -[nsubj:pass|aux:pass]-> P }"),
    ("Objects before their verbs", "pattern { V [upos=VERB]; V -[obj]-> O; O << V }"),
    ("Two neighbours with the same tag", "pattern { A < B; A.upos = B.upos }"),
    ("Nouns below a relative clause",
     "pattern { C [rel=acl:relcl]; C ->> N; N [upos=NOUN] }"),
    ("Modifiers of a noun, but no determiners",
     "pattern { N [upos=NOUN]; e: N -[^det|punct]-> M }"),
    ("Sentences with crossing arcs",
     "pattern { R [rel=root] }\nglobal { is_not_projective }"),
)
