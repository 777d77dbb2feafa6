# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A new function of struct pipe_context is hooked, or listed here."""

import pathlib
import re

from tests.runners.devices import ROOT

# They change state, or Pitot's own queries, or are neither GL's work nor waits.
NOT_HOOKED = re.compile(r"""
    (bind|create|delete|set|sampler_view|surface|make)_\w+
    | destroy | link_shader | render_condition(_mem)?
    | (begin|end|destroy)_query | get_query_result(_resource)?
    | \w+_intel_perf_query(_\w+)? | stream_output_target_\w+
    | evaluate_depth_buffer | fence_server_\w+ | (texture|memory)_barrier
    | transfer_flush_region | (buffer|texture)_unmap
    | resource_(commit|release) | invalidate_resource
    | get_compute_state_\w+ | svm_migrate | get_sample_position | get_timestamp
    | get_device_reset_status | dump_debug_state | emit_string_marker
    | callback | fn | video_buffer_from_handle | ml_\w+
    """, re.VERBOSE)


def test_all_work_is_hooked(built):
    source = pathlib.Path(built("mesa")).parent / "src"
    header = (source / "src/gallium/include/pipe/p_context.h").read_text()
    functions = re.findall(r"\(\*\s*(\w+)\)\s*\(",
                           header.partition("\nstruct pipe_context {")[2])
    hooks = pathlib.Path(ROOT, "src/profile/hooks.c").read_text()
    hooked = re.findall(r"\bX\((\w+)\)", hooks)
    # Draws are hooked before u_vbuf (src/mesa/profile.c).
    hooked += ["draw_vbo", "draw_vertex_state"]
    assert len(functions) > 100
    assert [function for function in functions if function not in hooked
            and not NOT_HOOKED.fullmatch(function)] == []
