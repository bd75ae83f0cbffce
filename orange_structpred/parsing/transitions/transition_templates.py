"""Features of a configuration of a transition-based parser, as a table.

Templates are written as those of edges. A configuration has a stack and a buffer: ``s``,
``t`` and ``u`` are the topmost tokens of the stack, the top first, ``q``, ``r`` and ``w``
the first ones of the buffer. Of the children that have been attached so far, ``l`` and
``m`` are the leftmost and the rightmost one of ``s``, ``c`` and ``d`` those of ``t``, and
``f`` is the leftmost one of ``q``. ``n`` counts: ``gap`` is the distance class
from ``s`` to ``q``, ``step`` that from ``t`` to ``s``, and the others are numbers of
children to the left or right.
"""
TRANSITION_TEMPLATES: tuple[str, ...] = (
    # single tokens
    "s.form", "s.upos", "s.xpos", "s.lemma s.upos", "s.form s.xpos", "s.upos s.feats",
    "s.upos s.ending", "t.form", "t.upos", "t.xpos", "t.lemma t.upos", "t.form t.xpos",
    "t.upos t.feats", "t.upos t.ending", "q.form", "q.upos", "q.xpos", "q.lemma q.upos",
    "q.form q.xpos", "q.upos q.feats", "q.upos q.ending", "r.form", "r.upos", "r.xpos",
    "r.lemma r.upos", "w.form", "w.upos", "w.xpos", "w.lemma w.upos", "u.lemma u.upos",
    # top of the stack and front of the buffer
    "s.upos q.upos", "s.upos q.upos n.gap", "s.xpos q.xpos", "s.lemma q.lemma",
    "s.lemma q.upos", "s.upos q.lemma", "s.lemma s.upos q.lemma q.upos", "s.form q.xpos",
    "s.xpos q.form", "s.feats q.feats", "s.upos s.feats q.upos q.feats",
    # both on the stack
    "t.upos s.upos", "t.upos s.upos n.step", "t.xpos s.xpos", "t.lemma s.lemma",
    "t.lemma s.upos", "t.upos s.lemma", "t.lemma s.lemma n.step", "t.feats s.feats",
    "t.upos t.feats s.upos s.feats",
    # others
    "t.upos q.upos", "t.xpos q.xpos", "t.lemma q.lemma", "t.lemma q.upos",
    "t.upos q.lemma", "q.upos r.upos", "q.xpos r.xpos", "q.lemma r.lemma",
    "q.lemma r.upos", "q.upos r.lemma",
    # three and four
    "q.upos r.upos w.upos", "s.upos q.upos r.upos", "s.lemma q.upos r.upos",
    "s.xpos q.xpos r.xpos", "s.upos q.upos r.upos w.upos", "t.upos s.upos q.upos",
    "t.xpos s.xpos q.xpos", "t.lemma s.upos q.upos", "t.upos s.lemma q.upos",
    "t.upos s.upos q.lemma", "t.lemma s.lemma q.upos", "t.lemma s.upos q.lemma",
    "t.upos s.lemma q.lemma", "u.upos t.upos s.upos", "u.upos t.upos s.upos q.upos",
    "t.upos s.upos q.upos r.upos", "t.lemma s.upos q.upos r.upos",
    "t.upos s.upos q.upos n.step n.gap",
    # distances and numbers of children
    "s.upos n.gap", "s.lemma n.gap", "q.upos n.gap", "q.lemma n.gap", "s.upos n.s_left",
    "s.upos n.s_right", "s.lemma n.s_left", "s.lemma n.s_right", "t.upos n.t_left",
    "t.upos n.t_right", "t.lemma n.t_right", "q.upos n.q_left", "q.lemma n.q_left",
    "t.upos s.upos n.t_right n.s_right", "t.upos s.upos n.t_left n.s_left",
    "s.upos q.upos n.s_right n.q_left",
    # children
    "s.upos l.upos q.upos", "s.upos m.upos q.upos", "s.upos q.upos f.upos",
    "t.upos c.upos s.upos", "t.upos d.upos s.upos", "t.upos s.upos l.upos",
    "t.upos s.upos m.upos", "t.upos s.upos l.lemma", "s.upos l.lemma q.upos",
    "s.upos m.lemma q.upos", "s.upos q.upos f.lemma", "t.lemma s.upos l.lemma",
    "t.lemma d.lemma s.upos", "t.upos s.upos m.upos q.upos",
    "t.upos s.upos q.upos f.upos", "t.upos s.upos l.upos q.upos",
    "t.upos d.upos s.upos q.upos", "t.upos c.upos s.upos q.upos",
    # surroundings
    "s-1.upos s.upos q.upos", "s.upos s+1.upos q.upos", "s.upos q-1.upos q.upos",
    "t.upos t+1.upos s-1.upos s.upos", "s.marker q.upos", "s.upos q.marker",
    "t.upos s.upos s.marker", "s.upos q.upos q.coordinator",
    "t.upos s.upos s.coordinator", "s.upos s.before q.upos q.before",
    "t.upos s.upos s.before s.after", "t.upos t.before s.upos s.before",
    "s.upos s.position q.upos", "s.upos q.upos q.position", "t.upos t.position s.upos",
    "s.upos s.next q.upos q.next", "s.upos s.previous q.upos",
)
CONFIGURATION_ROLES = "stuqrwlmcdf"
CONFIGURATION_WORDS = ("gap", "step", "s_left", "s_right", "t_left", "t_right", "q_left")

