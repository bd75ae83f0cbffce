"""Workflows written down as Orange saves them."""
import base64
import pickle
from xml.sax.saxutils import escape, quoteattr

from orange_structpred.export import parse_workflow

OURS = "orange_structpred.widgets."
CORE = "Orange.widgets."
LOAD = OURS + "owloadtreebank.OWLoadTreebank"
TRAIN = OURS + "owtrainparser.OWTrainParser"
TUNE = OURS + "owtuneparser.OWTuneParser"
APPLY = OURS + "owapplyparser.OWApplyParser"
SCORE = OURS + "owuasscore.OWUASScore"
VIEWER = OURS + "owtreebankviewer.OWTreebankViewer"
FILE = CORE + "data.owfile.OWFile"
SAMPLER = CORE + "data.owdatasampler.OWDataSampler"
SELECT = CORE + "data.owselectrows.OWSelectRows"
CONCATENATE = CORE + "data.owconcatenate.OWConcatenate"
TABLE = CORE + "data.owtable.OWTable"
SAVE = CORE + "data.owsave.OWSave"
SAVE_MODEL = CORE + "model.owsavemodel.OWSaveModel"
LOAD_MODEL = CORE + "model.owloadmodel.OWLoadModel"
PIVOT = CORE + "data.owpivot.OWPivot"
DISTRIBUTIONS = CORE + "visualize.owdistributions.OWDistributions"
COLUMNS = CORE + "data.owselectcolumns.OWSelectAttributes"
MERGE = CORE + "data.owmergedata.OWMergeData"
INFO = CORE + "data.owdatainfo.OWDataInfo"
#: It has no counterpart in scripts
MOSAIC = CORE + "visualize.owmosaic.OWMosaicDisplay"


def ows(nodes, links=(), *, title="Toy", version="2.0"):
    """The contents of an .ows file.

    nodes : (widget, title, settings); settings with objects in them are pickled
    links : (source, output, sink, input), with False behind it if it is disabled
    """
    parts = [f'<scheme version="{version}" title={quoteattr(title)} description="">',
             "<nodes>"]
    parts += [f'<node id="{number}" name="x" qualified_name="{widget}" '
              f'title={quoteattr(name)} position="(0, 0)"/>'
              for number, (widget, name, _) in enumerate(nodes)]
    parts += ["</nodes><links>"]
    parts += [f'<link id="{number}" source_node_id="{source}" sink_node_id="{sink}" '
              f'source_channel="{output}" sink_channel="{entry}" '
              f'enabled="{"false" if off else "true"}"/>'
              for number, (source, output, sink, entry, *off) in enumerate(links)]
    parts += ["</links><node_properties>"]
    for number, (_, _, settings) in enumerate(nodes):
        form, text = dumped(settings)
        parts.append(f'<properties node_id="{number}" format="{form}">{escape(text)}'
                     "</properties>")
    return "".join([*parts, "</node_properties></scheme>"]).encode()


def dumped(settings):
    if isinstance(settings, bytes):
        return "pickle", base64.b64encode(settings).decode()
    text = repr(settings)
    if "<" in text or "Context" in text or "RecentPath" in text:
        return "pickle", base64.b64encode(pickle.dumps(settings)).decode()
    return "literal", text


def workflow(nodes, links=(), *, folder=None, **options):
    result = parse_workflow(ows(nodes, links, **options))
    result.folder = folder
    return result
