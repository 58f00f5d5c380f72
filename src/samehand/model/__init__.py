"""The files of a model: what learning writes and judging reads.

`folder.py` reads and writes a model; `description.py` and `config.py` are what its model.json
holds, and `shapes.py` says which numbers the weights of a network have to be.
"""
