# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

# Turns the list of GPUs into rows of C: see gpus.c.
!/^#/ {
    printf "%s(\"%s\"", toupper($1), $2
    for (i = 4; i <= NF; i++)
        printf ", %s", $i
    print ")"
}
