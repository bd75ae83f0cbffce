"""Model files of every kind, changed field by field as their own schemas suggest."""
from itertools import islice

from orange_structpred.files.models import ModelFileError
from tests.files.samples import save_samples
from tests.files.schema_fuzz import cases, use, write_changed
from tests.hostile.draw import pick


def prepare(folder):
    samples = {path: sum(1 for _ in cases(path)) for path in save_samples(folder)}
    return samples, folder / "changed.npz"


def case(state, rng):
    samples, target = state
    path = pick(rng, list(samples))
    text, changed = next(islice(cases(path), int(rng.integers(samples[path])), None))
    write_changed(path, changed, target)
    try:
        use(target)
    except ModelFileError as error:
        assert str(error).startswith(f"{target}: ") and "\n" not in str(error)
    except Exception as error:
        raise AssertionError(f"{path.name}, {text}: {error!r}") from error
