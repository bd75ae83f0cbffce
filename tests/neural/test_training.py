"""The training loop on a net of two weights."""
import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.neural.adam import Adam, Schedule
from orange_structpred.neural.layers import Linear
from orange_structpred.neural.training import NetCheckpointError, NetTraining
from orange_structpred.neural.weights import Weights
from orange_structpred.running.cancellation import Cancelled
from tests.observers import stop_if


class Line:
    """Learns y = 2 x + 1 from noisy points."""

    def __init__(self, spoiled=()):
        self.layer = Linear("line", 1, 1)
        self.weights = Weights([self.layer])
        self.weights.draw(np.random.default_rng(0))
        self.x = np.linspace(-1, 1, 64, dtype=np.float32)[:, None]
        self.spoiled = list(spoiled)        # losses of the first batches
        self.calls = 0

    def batches(self, rng):
        return np.split(rng.permutation(64), 8)

    def learn(self, batch, rng):
        self.calls += 1
        x = self.x[batch]
        noise = 0.01 * rng.standard_normal(x.shape)
        error = (self.layer.forward(self.weights, x) - 2 * x - 1 + noise).astype(np.float32)
        self.layer.backward(self.weights, x, 2 * error / len(x))
        if self.spoiled and self.calls == self.spoiled[0]:
            self.spoiled.pop(0)
            self.weights.gradients[0] = np.nan
        return float(np.mean(error**2))

    def fingerprint(self):
        return "line"

    def loss(self):
        return float(np.mean((self.layer.forward(self.weights, self.x)
                              - 2 * self.x - 1) ** 2))


def trained(net, epochs=12, **options):
    training = NetTraining(net, epochs=epochs, rate=0.1, **options)
    training.run()
    return training


def test_the_line_is_learned_and_the_same_seed_gives_the_same():
    one, other, third = Line(), Line(), Line()
    training = trained(one)
    trained(other)
    trained(third, random_state=1)
    assert one.loss() < 0.01
    np.testing.assert_array_equal(one.weights.values, other.weights.values)
    assert (one.weights.values != third.weights.values).any()
    assert [report.epoch for report in training.reports] == list(range(1, 13))
    assert training.reports[-1].loss < training.reports[0].loss


def test_steps_become_larger_and_smaller_again():
    schedule = Schedule(3., 0.1)
    sizes = [schedule.size(done) for done in (0., 0.05, 0.1, 0.55, 1.)]
    assert sizes == pytest.approx([0.03, 1.53, 3., 1.5, 0.])


def test_long_gradients_are_cut():
    weights = Weights([Linear("line", 2, 2)])
    adam, free = Adam(weights), Weights([Linear("line", 2, 2)])
    weights.gradients[:] = 1e6
    assert adam.step(0.1, averaging=False) == pytest.approx(1e6 * np.sqrt(6))
    assert np.linalg.norm(adam.first) == pytest.approx(0.1 * 5, rel=1e-4)
    assert not weights.gradients.any()
    other = Adam(free)
    free.gradients[:] = 0.5
    other.step(0.1, averaging=False)
    np.testing.assert_allclose(other.first, 0.05, rtol=1e-5)
    np.testing.assert_allclose(free.values, -0.1, rtol=1e-5)
    np.testing.assert_array_equal(other.averaged, free.values)
    free.gradients[:] = 0.5
    other.step(0.1, averaging=True)
    np.testing.assert_allclose(other.averaged, 0.1 * -0.1 + 0.9 * -0.2, rtol=1e-4)


def test_what_is_not_finite_is_not_learned(recwarn):
    net = Line(spoiled=[20])        # in epoch 3
    training = trained(net)
    assert training.restarts == 1 and np.isfinite(net.weights.values).all()
    assert net.loss() < 0.01 and net.calls == 12 * 8 + 4
    assert "not finite in epoch 3" in str(recwarn.pop(UserWarning).message)


def test_it_ends_if_it_is_never_finite():
    with pytest.warns(UserWarning), pytest.raises(InputError, match="not finite"):
        trained(Line(spoiled=range(1, 100)))


def test_an_interrupted_training_resumes_and_gives_the_same(tmp_path):
    whole, first, second = Line(), Line(), Line()
    validations = []
    expected = trained(whole, validate=whole.loss, keep_best=False)

    def interrupt():
        validations.append(first.loss())
        if len(validations) == 5:
            raise KeyboardInterrupt
        return validations[-1]

    path = tmp_path / "checkpoint.npz"
    with pytest.raises(KeyboardInterrupt):
        trained(first, validate=interrupt, keep_best=False, checkpoint=path)
    resumed = trained(second, validate=second.loss, keep_best=False, checkpoint=path)
    assert second.calls == (12 - 4) * 8
    np.testing.assert_array_equal(whole.weights.values, second.weights.values)
    assert [own.loss for own in resumed.reports] == [own.loss for own in expected.reports]
    with pytest.raises(NetCheckpointError, match="another training"):
        trained(Line(), epochs=3, checkpoint=path)
    path.write_bytes(b"nonsense")
    with pytest.raises(NetCheckpointError, match="cannot be read"):
        trained(Line(), checkpoint=path)


def test_the_best_epoch_is_kept():
    losses = iter([3., 1., 2., 1.])
    net = Line()
    seen = []

    def validate():
        seen.append(net.weights.values.copy())
        return next(losses)

    training = trained(net, epochs=4, validate=validate)
    assert training.kept_epoch == 2
    np.testing.assert_array_equal(net.weights.values, seen[1])


def test_it_stops_when_asked_to(monkeypatch):
    monkeypatch.setattr("orange_structpred.neural.training.EPOCH_REPORT_EVERY", 0)
    with pytest.raises(Cancelled):
        trained(Line(), callback=stop_if(lambda report: True))
    net = Line()
    training = trained(net, callback=stop_if(lambda report: report.epoch == 3))
    assert training.stopped and len(training.reports) == 2
    np.testing.assert_array_equal(net.weights.values, training.adam.averaged)
