"""Games as environments of other libraries: PettingZoo, Gymnasium, and arrays of many games."""
