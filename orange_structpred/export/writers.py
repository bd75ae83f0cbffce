"""Workflows widget by widget: which function writes which of them."""
from __future__ import annotations

import os
from collections.abc import Callable

from orange_structpred.export import (
    Node,
    Workflow,
    core,
    core_tables,
    editing,
    ours,
    searching,
    shared,
    teaching,
    texts,
)
from orange_structpred.export.writer import Writer

#: The functions of our own widgets, and of those of Orange, by the widgets' classes
WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    **{f"orange_structpred.widgets.{name}": write for name, write in {
        "owloadtreebank.OWLoadTreebank": ours.write_load_treebank,
        "owtrainparser.OWTrainParser": ours.write_train_parser,
        "owapplyparser.OWApplyParser": ours.write_apply_parser,
        "owuasscore.OWUASScore": ours.write_uas_score,
        "owtreebankviewer.OWTreebankViewer": shared.write_selected_sentences,
        "owtreeviewer.OWTreeViewer": shared.write_selected_sentences,      # its first name
        "owtuneparser.OWTuneParser": ours.write_tune_parser,
        "owsaveparser.OWSaveParser": ours.write_save_parser,
        "owsavetreebank.OWSaveTreebank": ours.write_save_treebank,
        "owloadparser.OWLoadParser": ours.write_load_parser,
        "owstructuredsvm.OWStructuredSVM": ours.write_structured_svm,
        "owscript.OWScript": ours.write_workflow_to_script,
        "owconfusions.OWConfusions": teaching.write_confusions,
        "owlearningcurve.OWLearningCurve": teaching.write_learning_curve,
        "owlearningsteps.OWLearningSteps": teaching.write_learning_steps,
        "owtraintagger.OWTrainTagger": texts.write_train_tagger,
        "owapplytagger.OWApplyTagger": texts.write_apply_tagger,
        "owimporttext.OWImportText": texts.write_import_text,
        "owannotate.OWAnnotate": texts.write_annotate,
        "owcomparetreebanks.OWCompareTreebanks": editing.write_compare_treebanks,
        "owedittreebank.OWEditTreebank": editing.write_edit_treebank,
        "owfindtrees.OWFindTrees": searching.write_find_trees,
        "owtreebankstatistics.OWTreebankStatistics": searching.write_treebank_statistics,
    }.items()},
    **{f"Orange.widgets.{name}": write for name, write in {
        "data.owfile.OWFile": core.write_file_reader,
        "evaluate.owtestandscore.OWTestAndScore": core.write_test_and_score,
        "data.owsave.OWSave": core.write_save_data,
        "data.owdatasampler.OWDataSampler": core.write_data_sampler,
        "data.owselectrows.OWSelectRows": core.write_select_rows,
        "data.owconcatenate.OWConcatenate": core.write_concatenate,
        "data.owtable.OWTable": core.write_data_table,
        "evaluate.owconfusionmatrix.OWConfusionMatrix": core.write_confusion_matrix,
        "model.owsavemodel.OWSaveModel": core.write_save_model,
        "model.owloadmodel.OWLoadModel": core.write_load_model,
        "data.owselectcolumns.OWSelectAttributes": core_tables.write_select_columns,
        "data.owmergedata.OWMergeData": core_tables.write_merge_data,
        "data.owpivot.OWPivot": core_tables.write_pivot_table,
        "visualize.owdistributions.OWDistributions": core_tables.write_distributions,
        "data.owdatainfo.OWDataInfo": core_tables.write_data_info,
    }.items()},
}


def write_workflow(workflow: Workflow, folder: str | os.PathLike | None, *, notebook: bool
                   ) -> Writer:
    """All of a workflow, written; see `script` and `notebook` for what it becomes."""
    # Which names are imported, and so cannot be variables, and how many widgets have
    # a C, is known after a first time.
    def written(before: Writer | None) -> Writer:
        writer = Writer(workflow, folder, notebook=notebook, before=before)
        for node in workflow.nodes:
            writer.write(node, WRITERS.get(node.widget))
        return writer

    return written(written(None))
