"""Outputs of all kinds, as estimators that follow scikit-learn."""
from orange_structpred.problems.alignment.alignment_estimator import (
    AlignmentSVM,
    read_alignment,
)
from orange_structpred.problems.atomic.atomic_problem import AtomicProblem
from orange_structpred.problems.custom import StructuredSVM
from orange_structpred.problems.estimator import StructuredEstimator
from orange_structpred.problems.grammar.grammar_estimator import PCFG, GrammarSVM
from orange_structpred.problems.grammar.trees import (
    PhraseTree,
    f1_score,
    read_brackets,
    write_brackets,
)
from orange_structpred.problems.graphs.graph_crf import GraphCRF
from orange_structpred.problems.graphs.graph_estimator import GraphSVM, GridSVM
from orange_structpred.problems.graphs.inference import Inference, infer_labels
from orange_structpred.problems.graphs.marginals import label_marginals
from orange_structpred.problems.latent.latent_estimators import (
    LatentClassSVM,
    LatentSequenceSVM,
    LatentSVM,
)
from orange_structpred.problems.latent.procedure import LatentProblem
from orange_structpred.problems.matching import MatchingSVM, RankingSVM
from orange_structpred.problems.multiclass import MulticlassSVM
from orange_structpred.problems.multilabel import MultilabelSVM
from orange_structpred.problems.programs import ProgramInput, ProgramProblem
from orange_structpred.problems.search.output_search import OutputSearch
from orange_structpred.problems.search.ready_made import (
    DependencySearch,
    SegmentationSearch,
    SequenceSearch,
)
from orange_structpred.problems.search.search_learner import SearchLearner
from orange_structpred.problems.search.search_problem import SearchProblem
from orange_structpred.problems.sequences.crf import SequenceCRF
from orange_structpred.problems.sequences.hmm import HMM
from orange_structpred.problems.sequences.sequence_estimator import SequenceSVM
from orange_structpred.problems.taxonomy import TaxonomySVM
from orange_structpred.svm.programs import InfeasibleError, IntegerProgram, both, one_of

__all__ = [
    "HMM",
    "PCFG",
    "AlignmentSVM",
    "AtomicProblem",
    "DependencySearch",
    "GrammarSVM",
    "GraphCRF",
    "GraphSVM",
    "GridSVM",
    "InfeasibleError",
    "Inference",
    "IntegerProgram",
    "LatentClassSVM",
    "LatentProblem",
    "LatentSVM",
    "LatentSequenceSVM",
    "MatchingSVM",
    "MulticlassSVM",
    "MultilabelSVM",
    "OutputSearch",
    "PhraseTree",
    "ProgramInput",
    "ProgramProblem",
    "RankingSVM",
    "SearchLearner",
    "SearchProblem",
    "SegmentationSearch",
    "SequenceCRF",
    "SequenceSVM",
    "SequenceSearch",
    "StructuredEstimator",
    "StructuredSVM",
    "TaxonomySVM",
    "both",
    "f1_score",
    "infer_labels",
    "label_marginals",
    "one_of",
    "read_alignment",
    "read_brackets",
    "write_brackets",
]
