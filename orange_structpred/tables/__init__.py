"""Tables made of tables, as Orange's own widgets make them: what scripts import; and
tables made of what was counted and measured."""
