# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The dEQP cases about queries, and the programs that have them.

A pattern is a case's name with '*' for anything. Its first part is a package:
cases that run in one kind of context. KHR-GL* is the package of the driver's
newest GL version.
"""

from typing import NamedTuple

ANY_GL = "KHR-GL*"
GL_PACKAGES = tuple(f"KHR-GL{version}" for version in (
    46, 45, 44, 43, 42, 41, 40, 33, 32, 31, 30))

# Where a build of VK-GL-CTS puts the programs.
PROGRAMS = {
    "glcts": "external/openglcts/modules/glcts",
    "deqp-gles3": "modules/gles3/deqp-gles3",
    "deqp-gles31": "modules/gles31/deqp-gles31",
    "deqp-egl": "modules/egl/deqp-egl",
}

# The program of a package; glcts has Khronos' packages.
PROGRAM_OF = {
    "dEQP-GLES3": "deqp-gles3",
    "dEQP-GLES31": "deqp-gles31",
    "dEQP-EGL": "deqp-egl",
}

# The tests of ES exist again for contexts of GL 4.5.
ES3 = ("dEQP-GLES3", "dEQP-GL45-ES3")
ES31 = ("dEQP-GLES31", "dEQP-GL45-ES31")
# The same tests for GL, ES 3.2, and the extensions of ES 3.1.
GL_AND_ES = ("KHR-GL*", "KHR-GLES32.core", "KHR-GLES31.core", "KHR-GLESEXT")


class Use(NamedTuple):
    """VK-GL-CTS sources with query calls, the packages (or parts) of their
    cases, and the groups whose cases make the calls."""
    sources: str
    packages: tuple
    groups: tuple


USES = (
    Use("esextcDisjointTimerQueryBase esextcDisjointTimerQueryHandleReuse",
        ("KHR-GLESEXT",), ("disjoint_timer_query.*",)),
    Use("gl4cDirectStateAccessTests gl4cDirectStateAccessQueriesTests",
        ("KHR-GL*",), ("direct_state_access.queries_*",)),
    Use("gl4cPipelineStatisticsQueryTests", ("KHR-GL*",),
        ("pipeline_statistics_query_tests_ARB.*",)),
    Use("gl3cTransformFeedbackOverflowQueryTests", ("KHR-GL*",),
        ("transform_feedback_overflow_query_ARB.*",)),
    Use("gl4cConditionalRenderInvertedTests", ("KHR-GL*",),
        ("conditional_render_inverted.*",)),
    Use("gl4cComputeShaderTests", ("KHR-GL*",),
        ("compute_shader.conditional-dispatching",)),
    Use("gl4cSparseBufferTests", ("KHR-GL*",),
        ("sparse_buffer_tests.BufferStorageTest_case_m",)),
    Use("gl3cTransformFeedbackTests", ("KHR-GL*",),
        ("transform_feedback.*",)),
    Use("glcTransformFeedbackTests", ("KHR-GL*", "KHR-GLES3"),
        ("transform_feedback2.*",)),
    Use("gl3cTransformFeedback3Tests", ("KHR-GL*",),
        ("transform_feedback3.*",)),
    Use("glcSeparableProgramsTransformFeedbackTests",
        ("KHR-GL*", "KHR-GLES32.core"), ("separable_programs_tf.*",)),
    Use("glcPackedDepthStencilTests", ("KHR-GL*", "KHR-GLES3"),
        ("packed_depth_stencil.verify_partial_attachments.*",)),
    # Each GL version has its own list of calls.
    Use("glcApiCoverageTests", ("KHR-GL30", "KHR-GLES3"), ("api.coverage",)),
    Use("glcKHRDebugTests", ("KHR-NoContext",), ("gl43.khr_debug.labels_*",)),
    Use("esextcGeometryShaderPrimitiveQueries", GL_AND_ES,
        ("geometry_shader.primitive_queries.*",)),
    # The first counts primitives for the others.
    Use("esextcTessellationShaderUtils esextcTessellationShaderInvariance",
        GL_AND_ES, ("tessellation_shader.*",)),
    Use("es3fOcclusionQueryTests", ("dEQP-GLES3",),
        ("functional.occlusion_query.*",)),
    Use("es3sOcclusionQueryTests", ("dEQP-GLES3",),
        ("stress.occlusion_query.*",)),
    Use("es3fNegativeFragmentApiTests", ES3,
        ("functional.negative_api.fragment.*quer*",)),
    Use("es3fNegativeStateApiTests", ES3,
        ("functional.negative_api.state.*quer*",)),
    Use("es3fLifetimeTests glsLifetimeTests", ("dEQP-GLES3",),
        ("functional.lifetime.*.query*",)),
    Use("es3fTransformFeedbackTests", ("dEQP-GLES3",),
        ("functional.transform_feedback.*",)),
    Use("es31fNegativeFragmentApiTests", ES31,
        ("functional.debug.negative_coverage.*.fragment.*quer*",)),
    Use("es31fNegativeStateApiTests", ES31,
        ("functional.debug.negative_coverage.*.state.get_quer*",)),
    Use("es31fDebugTests", ES31, ("functional.debug.object_labels.query*",)),
    Use("es31fGeometryShaderTests glsStateQueryUtil", ES31,
        ("functional.geometry_shading.query.primitives_generated*",)),
    Use("es31fFboNoAttachmentTests", ES31,
        ("functional.fbo.no_attachments.*",)),
    Use("es31fTessellationTests", ES31,
        ("functional.tessellation.tesscoord.*",
         "functional.tessellation.fractional_spacing.*",
         "functional.tessellation.primitive_discard.*",
         "functional.tessellation.invariance.*",
         "functional.tessellation.user_defined_io.*")),
    Use("es31fTessellationGeometryInteractionTests", ES31,
        ("functional.tessellation_geometry_interaction.feedback.*",)),
    Use("teglGetProcAddressTests", ("dEQP-EGL",),
        ("functional.get_proc_address.core.gles3",
         "functional.get_proc_address.extension.gl_ext_*_query*",
         "functional.get_proc_address.extension.gl_*_performance_*",
         "functional.get_proc_address.extension.gl_nv_conditional_render")),
)


def query_groups():
    return tuple(dict.fromkeys(
        f"{package}.{group}" for use in USES for package in use.packages
        for group in use.groups))


def package_of(pattern):
    return pattern.partition(".")[0]


def program_of(package):
    return PROGRAM_OF.get(package, "glcts")
