"""A small net: layers with their gradients, an optimiser. It knows nothing of trees.

Values stand in rows, one for each token, sentence after sentence. A layer has a name and
sizes; its weights are in a `Weights`, which it shares with the other layers. `forward`
gives values, `backward` adds to the gradients and gives those of its inputs.
"""
