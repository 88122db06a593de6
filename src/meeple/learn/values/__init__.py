"""Learning values from siblings: labels by playouts, shards of them on disk, training, rounds."""
