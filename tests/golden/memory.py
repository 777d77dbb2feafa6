# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""What a query writes: each packet must stay in one buffer, and no two packets
may write to the same dword."""


def fault_of(scene, gpu):
    """What is wrong with a query's writes, or None."""
    writers = {} # by address of a dword
    for (_, step), commands in scene.segments.items():
        for command in commands if step != "then" else []:
            for field in command.fields:
                address = scene.canonical(command.address(field))
                dwords = [address + offset for offset in
                          command.packet.written(command.dw, gpu)]
                if dwords and not any(
                        begin <= dwords[0] and dwords[-1] < begin + size_B
                        for begin, size_B in scene.memory):
                    return f"{command.name} in {step} writes beyond a buffer"
                for dword in dwords:
                    other = writers.setdefault(dword, (address, step))
                    if other[0] & ~7 != address & ~7:
                        return (f"{command.name} in {step} overwrites what "
                                f"{other[1]} wrote")
    return None
