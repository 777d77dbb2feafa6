# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

# Turns the list of GPUs into rows of C: see gpus.c.
!/^#/ {
    name = $2
    sub(/-xe$/, "", name)
    printf "%s(\"%s\", \"%s\"", toupper($1), $2, name
    for (i = 4; i <= NF; i++)
        printf ", %s", $i
    print ")"
}
