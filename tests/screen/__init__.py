"""The real canvas on a virtual screen: `make test-screen`.

A fresh environment gets the project as the README says (not editable), Orange is
started in the folder of a clone, opens each example, waits until it has run, and opens
each widget, in the light and in the dark style. Pictures of all of them are saved; what
is cut off and what shows an error is listed. Under a window manager, if one is installed,
windows have frames, which have to be within the screen.

`inside/` is what the started Orange runs: it is found through PYTHONPATH.
"""
