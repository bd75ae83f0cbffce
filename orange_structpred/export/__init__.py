"""Workflows of Orange's canvas, read without Orange's widgets."""
from orange_structpred.export.reading import (
    Link,
    Node,
    Workflow,
    WorkflowError,
    parse_workflow,
    read_workflow,
)

__all__ = ["Link", "Node", "Workflow", "WorkflowError", "parse_workflow",
           "read_workflow"]
