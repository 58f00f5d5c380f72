"""The network.

An encoder, metric learning (DML), Bayes factor scoring (BFS) and uncertainty adaptation (UAL).
"""
