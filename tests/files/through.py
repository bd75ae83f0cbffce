"""Models that go through a file."""
import tempfile
from pathlib import Path

from orange_structpred.files.models import Component, ModelFile, save


def through_file(kind, header, arrays, component=""):
    """A model of this kind, read from a file with these contents."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.npz"
        parts = {"": Component({}, {}), component: Component(header, arrays)}
        save(path, format="test", version=1, header={}, components=parts)
        with ModelFile(path, format="test", versions=(1,), schema={},
                       components=parts) as file:
            return kind.read(file, component)
