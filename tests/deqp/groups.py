# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Which of dEQP's cases are about queries, and which program has them.

A pattern is a case's name in which '*' stands for anything. Up to the first
dot it names a package: the cases that run in one kind of context. KHR-GL*
is the one for the newest version of GL that the driver has.
"""

ANY_GL = "KHR-GL*"
GL_PACKAGES = tuple(f"KHR-GL{version}" for version in (
    46, 45, 44, 43, 42, 41, 40, 33, 32, 31, 30))

# The programs, and where a build of VK-GL-CTS puts them.
PROGRAMS = {
    "glcts": "external/openglcts/modules/glcts",
    "deqp-gles3": "modules/gles3/deqp-gles3",
    "deqp-gles31": "modules/gles31/deqp-gles31",
    "deqp-egl": "modules/egl/deqp-egl",
}

# The program that has a package; glcts has the packages of Khronos.
PROGRAM_OF = {
    "dEQP-GLES3": "deqp-gles3",
    "dEQP-GLES31": "deqp-gles31",
    "dEQP-EGL": "deqp-egl",
}

# Besides the queries' own groups, those whose cases count with a query.
QUERY_GROUPS = (
    "KHR-GLESEXT.disjoint_timer_query.*",
    "KHR-GL*.direct_state_access.queries_*",
    "KHR-GL*.pipeline_statistics_query_tests_ARB.*",
    "KHR-GL*.transform_feedback_overflow_query_ARB.*",
    "KHR-GL*.conditional_render_inverted.*",
    "KHR-GL*.compute_shader.conditional-dispatching",
    "KHR-GL*.transform_feedback.query_*",
    "KHR-GL*.transform_feedback3.multiple_streams*",
    "KHR-GL*.geometry_shader.primitive_queries.*",
    "KHR-GL*.packed_depth_stencil.stencil_size.*",
    "KHR-GL*.tessellation_shader.*invariance*",
    "KHR-GL*.api.coverage",
    "KHR-GLES32.core.geometry_shader.primitive_queries.*",
    "KHR-GLES3.api.coverage",
    "dEQP-GLES3.functional.occlusion_query.*",
    "dEQP-GLES3.functional.negative_api.fragment.*quer*",
    "dEQP-GLES3.functional.negative_api.state.*quer*",
    "dEQP-GLES3.functional.lifetime.*.query*",
    "dEQP-GLES3.functional.transform_feedback.*",
    "dEQP-GLES31.functional.debug.negative_coverage.*.fragment.*quer*",
    "dEQP-GLES31.functional.debug.negative_coverage.*.state.get_quer*",
    "dEQP-GLES31.functional.debug.object_labels.query*",
    "dEQP-GLES31.functional.geometry_shading.query.*",
    "dEQP-GLES31.functional.fbo.no_attachments.*",
    "dEQP-GLES31.functional.tessellation.invariance.*",
    "dEQP-GLES31.functional.tessellation_geometry_interaction.*",
    "dEQP-EGL.functional.get_proc_address.extension.gl_*_query*",
    "dEQP-EGL.functional.get_proc_address.extension.gl_*_performance_*",
)


def package_of(pattern):
    return pattern.partition(".")[0]


def program_of(package):
    return PROGRAM_OF.get(package, "glcts")
