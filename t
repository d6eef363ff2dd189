Command exited with non-zero status 3
0.00
