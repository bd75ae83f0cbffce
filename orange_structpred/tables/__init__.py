"""Tables made of tables, as Orange's own widgets make them: what scripts import."""
