"""The network: encoder, metric learning (DML), Bayes factor scoring (BFS), uncertainty adaptation (UAL)."""
