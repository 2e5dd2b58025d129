"""The bench `tanh_5` of closed_loop.rs, and a training, beside NumPy, numba, JAX and pycma, in one run on one core.

    python -m venv peers
    peers/bin/pip install numpy numba jax cma
    peers/bin/python crates/bitloop-sim/benches/peers.py             # 4 minutes, plant steps a second
    peers/bin/python crates/bitloop-sim/benches/peers.py --training  # 10 minutes, seconds to a controller

All run the same loop: the inverted pendulum by Euler steps of 0.01 s, a query of 5 tanh units each 0.1 s, 100 s, no
episode failing, the mean of theta^2 + 0.01 x^2 after 1 s. Its error, the mean over 50 episodes, is checked in each. bitloop and
the others take turns, and the highest speed of each is printed, since other work on the machine only slows.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
STEP_S = 0.01
STEPS_A_QUERY = 10
N_STEPS = 10_000
N_TRANSIENT = 100
FAILURE_ANGLE = 1.1
GAINS = (-1.0, 35.0, -2.5, 11.0)
N_UNITS = 5
# The peers that run in processes of their own, since JAX reads its settings once.
PEERS = ("NumPy", "numba", "JAX, f64", "JAX, f32")
N_EPISODES = (50, 2048)


def one_core():
    """Keeps this process and its children on one core, so that no library shares its work among more."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def angles(np, n_episodes):
    return (np.arange(n_episodes) + 0.5) / n_episodes * 0.8 - 0.4


def network(np):
    """Hidden weights, a row for each input, and output weights; the biases are 0."""
    hidden = np.array([[-0.01 * gain] * N_UNITS for gain in GAINS])
    return hidden, np.full(N_UNITS, 100.0 / N_UNITS)


def acceleration(np, theta, theta_dot, force):
    """Of cart and pendulum; masses and length are 1."""
    sin, cos = np.sin(theta), np.cos(theta)
    x_ddot = (force - sin * (theta_dot * theta_dot - 9.81 * cos)) / (1.0 + sin * sin)
    return x_ddot, x_ddot * cos + 9.81 * sin


def numpy_loop(n_episodes):
    import numpy as np

    hidden, output = network(np)

    def evaluate():
        theta = angles(np, n_episodes)
        x, x_dot, theta_dot = np.zeros_like(theta), np.zeros_like(theta), np.zeros_like(theta)
        cost = np.zeros_like(theta)
        for step in range(N_STEPS):
            if step % STEPS_A_QUERY == 0:
                force = np.tanh(np.stack([x, theta, x_dot, theta_dot], axis=1) @ hidden) @ output
            x_ddot, theta_ddot = acceleration(np, theta, theta_dot, force)
            x, theta = x + STEP_S * x_dot, theta + STEP_S * theta_dot
            x_dot, theta_dot = x_dot + STEP_S * x_ddot, theta_dot + STEP_S * theta_ddot
            if step >= N_TRANSIENT:
                cost += theta * theta + 0.01 * x * x
            if (np.abs(theta) > FAILURE_ANGLE).any():
                raise ValueError("an episode failed")
        return cost.mean() / (N_STEPS - N_TRANSIENT)

    return evaluate


def numba_kernel():
    """Error of a network over episodes; one that fails is charged the stage cost at the boundary to its end."""
    import numba
    import numpy as np

    @numba.njit(fastmath=False)
    def evaluate(angles, hidden, hidden_bias, output, output_bias):
        total = 0.0
        for angle in angles:
            x, theta, x_dot, theta_dot = 0.0, angle, 0.0, 0.0
            cost, force = 0.0, 0.0
            for step in range(N_STEPS):
                if step % STEPS_A_QUERY == 0:
                    force = output_bias
                    for unit in range(N_UNITS):
                        total_in = hidden_bias[unit] + hidden[0, unit] * x + hidden[1, unit] * theta
                        total_in += hidden[2, unit] * x_dot + hidden[3, unit] * theta_dot
                        force += output[unit] * np.tanh(total_in)
                sin, cos = np.sin(theta), np.cos(theta)
                x_ddot = (force - sin * (theta_dot * theta_dot - 9.81 * cos)) / (1.0 + sin * sin)
                theta_ddot = x_ddot * cos + 9.81 * sin
                x += STEP_S * x_dot
                theta += STEP_S * theta_dot
                x_dot += STEP_S * x_ddot
                theta_dot += STEP_S * theta_ddot
                # A fall costs what the boundary does, to the end of the episode.
                if not abs(theta) <= FAILURE_ANGLE:
                    first = max(step, N_TRANSIENT)
                    cost += (N_STEPS - first) * max(FAILURE_ANGLE**2, 0.01 * x * x)
                    break
                if step >= N_TRANSIENT:
                    cost += theta * theta + 0.01 * x * x
            total += cost
        return total / (len(angles) * (N_STEPS - N_TRANSIENT))

    return evaluate


def numba_loop(n_episodes):
    import numpy as np

    kernel = numba_kernel()
    hidden, output = network(np)
    starts, zeros = angles(np, n_episodes), np.zeros(N_UNITS)
    return lambda: kernel(starts, hidden, zeros, output, 0.0)


def jax_loop(n_episodes, is_double):
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import numpy as np

    jax.config.update("jax_enable_x64", is_double)
    jnp = jax.numpy
    real = jnp.float64 if is_double else jnp.float32
    hidden, output = (jnp.asarray(part, real) for part in network(np))

    def integrated(state, _):
        x, theta, x_dot, theta_dot, force, cost, step = state
        x_ddot, theta_ddot = acceleration(jnp, theta, theta_dot, force)
        x, theta = x + STEP_S * x_dot, theta + STEP_S * theta_dot
        x_dot, theta_dot = x_dot + STEP_S * x_ddot, theta_dot + STEP_S * theta_ddot
        cost = cost + jnp.where(step >= N_TRANSIENT, theta * theta + 0.01 * x * x, 0.0)
        cost = jnp.where(jnp.abs(theta) > FAILURE_ANGLE, jnp.inf, cost)
        return (x, theta, x_dot, theta_dot, force, cost, step + 1), None

    def queried(state, _):
        x, theta, x_dot, theta_dot, _, cost, step = state
        inputs = jnp.stack([x, theta, x_dot, theta_dot], axis=1)
        force = jnp.tanh(inputs @ hidden) @ output
        state = (x, theta, x_dot, theta_dot, force, cost, step)
        # Ten steps in a row, without a loop: the fastest of what was tried.
        return jax.lax.scan(integrated, state, None, length=STEPS_A_QUERY, unroll=STEPS_A_QUERY)

    @jax.jit
    def evaluate(theta):
        zero = jnp.zeros_like(theta)
        state = (zero, theta, zero, zero, zero, zero, 0)
        state, _ = jax.lax.scan(queried, state, None, length=N_STEPS // STEPS_A_QUERY)
        return state[5].mean() / (N_STEPS - N_TRANSIENT)

    starts = jnp.asarray(angles(np, n_episodes), real)
    return lambda: float(evaluate(starts))


def loop(peer, n_episodes):
    if peer == "NumPy":
        return numpy_loop(n_episodes)
    if peer == "numba":
        return numba_loop(n_episodes)
    return jax_loop(n_episodes, peer == "JAX, f64")


def measure(peer, n_episodes, seconds):
    """Prints error and highest speed, in plant steps a second."""
    one_core()
    evaluate = loop(peer, n_episodes)
    error = evaluate()
    lowest, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end or lowest == float("inf"):
        start = time.perf_counter()
        evaluate()
        lowest = min(lowest, time.perf_counter() - start)
    print(error, n_episodes * N_STEPS / lowest)


def of_peer(peer, n_episodes, seconds):
    command = [sys.executable, __file__, "--peer", peer, str(n_episodes), str(seconds)]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    error, speed = map(float, shown.split())
    if n_episodes == 50 and not 1e-4 < error < 0.1:
        raise ValueError(f"{peer} has an error of {error}")
    return error, speed


UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def of_bitloop(n_episodes, seconds):
    """The fastest sample of the bench, with the best instruction set of this processor."""
    name = "tanh_5" if n_episodes == 50 else f"tanh_5_of_{n_episodes}"
    command = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    command += ["cargo", "bench", "--quiet", "-p", "bitloop-sim", "--bench", "closed_loop", "--"]
    command += [f"closed_loop::{name}::", "--max-time", str(seconds), "--sample-count", "100000"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    times = re.findall(r"[├╰]─ \w+ +([\d.]+) (ns|µs|ms|s) ", shown)
    lowest = min(float(number) * UNITS[unit] for number, unit in times)
    return n_episodes * N_STEPS / lowest


def speeds(seconds, n_rounds):
    best = {}
    for _ in range(n_rounds):
        for n_episodes in N_EPISODES:
            rows = [(peer, of_peer(peer, n_episodes, seconds)[1]) for peer in PEERS]
            rows.append(("bitloop", of_bitloop(n_episodes, seconds)))
            for name, speed in rows:
                key = name, n_episodes
                best[key] = max(best.get(key, 0.0), speed)
    print("| loop | " + " | ".join(f"{n} episodes" for n in N_EPISODES) + " | bitloop's speed to this |")
    print("|---|" + "---|" * (len(N_EPISODES) + 1))
    for name in (*PEERS, "bitloop"):
        cells = [f"{best[name, n] / 1e6:.1f} M" for n in N_EPISODES]
        ratios = [f"{best['bitloop', n] / best[name, n]:.1f}" for n in N_EPISODES]
        print(f"| {name} | {' | '.join(cells)} | {', '.join(ratios)} |")


def pycma_seconds(seed, target, limit_s):
    """Until pycma, over the loop that numba compiles, has a training error at the target; none within the limit."""
    import cma
    import numpy as np

    kernel = numba_kernel()
    starts = np.random.default_rng(seed).uniform(-0.4, 0.4, 50)
    n_hidden = 4 * N_UNITS

    def error(weights):
        hidden = np.ascontiguousarray(weights[:n_hidden].reshape(4, N_UNITS))
        biases, output = weights[n_hidden : n_hidden + N_UNITS], weights[n_hidden + N_UNITS : -1]
        return kernel(starts, hidden, biases, output, weights[-1])

    error(np.zeros(n_hidden + 2 * N_UNITS + 1))
    start = time.perf_counter()
    options = {
        "seed": seed,
        "ftarget": target,
        "timeout": limit_s,
        "verbose": -9,
        "bounds": [-10, 10],
    }
    found, _ = cma.fmin2(error, np.zeros(n_hidden + 2 * N_UNITS + 1), 0.5, options, restarts=9, bipop=True)
    seconds = time.perf_counter() - start
    return seconds if error(np.asarray(found)) <= target else None


def bitloop_seconds(seed, target):
    """Of a whole training by the scenario that ships, whose error is on new episodes."""
    text = (ROOT / "scenarios/pendulum-full-16bit.ron").read_text()
    text, n_targets = re.subn(r"target: [\d.e-]+", f"target: {target}", text)
    if n_targets != 1:
        raise ValueError("the scenario has no target")
    with tempfile.TemporaryDirectory() as folder:
        scenario = pathlib.Path(folder) / "scenario.ron"
        scenario.write_text(text)
        command = [ROOT / "target/release/bitloop", "train", scenario, "--seed", str(seed)]
        command += ["--threads", "1", "--out", pathlib.Path(folder) / "run"]
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - start


def trainings(target, limit_s, n_seeds):
    one_core()
    print("| seed | pycma over numba, s | bitloop train, s |\n|---|---|---|")
    for seed in range(1, n_seeds + 1):
        peer = pycma_seconds(seed, target, limit_s)
        shown = f"{peer:.1f}" if peer else f"none in {limit_s:.0f}"
        print(f"| {seed} | {shown} | {bitloop_seconds(seed, target):.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--training", action="store_true")
    parser.add_argument("--target", type=float, default=5e-4, help="error at which a training ends")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that pycma has")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--peer", nargs=3, metavar=("NAME", "EPISODES", "SECONDS"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        name, n_episodes, seconds = args.peer
        measure(name, int(n_episodes), float(seconds))
    elif args.training:
        trainings(args.target, args.limit, args.seeds)
    else:
        speeds(args.seconds, args.rounds)


if __name__ == "__main__":
    main()
