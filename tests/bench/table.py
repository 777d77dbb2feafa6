# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The ratios of several drivers as one table."""

import math


def ratio_of(pitot, stock):
    return pitot / stock if stock > 0 else math.inf


def mean_ratio(ratios):
    """The geometric mean of the ratios above 0."""
    finite = [ratio for ratio in ratios if 0 < ratio < math.inf]
    if not finite:
        return math.nan
    return math.exp(sum(map(math.log, finite)) / len(finite))


def ratios_of(parts):
    """{case: ratio} of a driver's numbers, as in --json."""
    return {case: ratio_of(cost["pitot"]["least"], cost["stock"]["least"])
            for costs in parts.values() for case, cost in costs.items()}


def rows(numbers):
    """A row for each case, with a ratio for each driver, or "-" if the driver
    lacks the case; last the geometric means."""
    columns = {driver: ratios_of(parts) for driver, parts in numbers.items()}
    cases = dict.fromkeys(case for ratios in columns.values()
                          for case in ratios)
    yield ["Pitot over stock", *columns]
    yield ["---"] * (1 + len(columns))
    for case in cases:
        yield [case, *(f"{ratios[case]:.2f}" if case in ratios else "-"
                       for ratios in columns.values())]
    yield ["geometric mean", *(f"{mean_ratio(ratios.values()):.2f}"
                               for ratios in columns.values())]


def markdown(numbers):
    return "\n".join(f"| {' | '.join(row)} |" for row in rows(numbers))
