# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Calls that take more instructions with Pitot, on a driver that does nothing:
(reason, regular expression for the case, maximum ratio). An entry that no case
needs fails, so that it is removed."""

WORSE = [
    ("it is ready to share the driver's query with others that begin there",
     "begin and end in flight: a statistic", 1.15),
    ("its driver query leaves the list of those in flight, and is the next that "
     "is begun", "begin and end in flight: timestamp", 1.05),
    ("it looks whether u_threaded_context would sync, and whether another poll "
     "has just failed", "poll a first result", 1.10),
    ("it looks whether GPUs take the offset, since zink's would hang, and "
     "u_threaded_context notes that the buffer is written",
     "store a first result in a buffer", 1.08),
]
