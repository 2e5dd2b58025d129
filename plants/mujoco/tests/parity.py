"""Compares the tasks with Gymnasium's: python parity.py FOLDER_OF_LIBRARIES

The same start and the same actions must give the same observations, and a stage cost of offset - reward, to the last bit, once
Gymnasium's model does without warm starts, as a state of qpos and qvel needs.
"""

import ctypes
import sys
from pathlib import Path

import gymnasium
import mujoco
import numpy as np

TASKS = {
    "hopper": ("Hopper-v5", 10.0),
    "half_cheetah": ("HalfCheetah-v5", 40.0),
    "swimmer": ("Swimmer-v5", 5.0),
    "inverted_pendulum": ("InvertedPendulum-v5", 1.0),
    "inverted_double_pendulum": ("InvertedDoublePendulum-v5", 10.0),
}
STRIDE = 8
PLANT_STEP = 3
U32, U64, F64, POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_double, ctypes.c_void_p


class Batch(ctypes.Structure):
    _fields_ = (
        [(name, U32) for name in ("struct_size", "isa", "n_lanes", "stride")]
        + [("structure", POINTER), ("n_structure", U32), ("n_steps", U32)]
        + [(name, POINTER) for name in ("parameters", "state", "control", "observation", "cost")]
        + [(name, POINTER) for name in ("end_step", "end_cost", "scratch", "message", "math")]
        + [("tick", U64), ("step_s", F64)]
        + [(name, U32) for name in ("message_size", "integrator", "counts_cost", "reserved")]
    )


class Descriptor(ctypes.Structure):
    _fields_ = [(name, U32) for name in ("abi", "size", "batch_size", "capabilities")] + [
        (name, POINTER)
        for name in ("describe", "release", "part", "advance", "observe", "terminal", "failure")
    ]


class Description(ctypes.Structure):
    _fields_ = (
        [(name, U32) for name in ("size", "n_states", "n_controls", "n_observations")]
        + [(name, U32) for name in ("n_parameters", "n_structure", "n_integrators", "order")]
        + [(name, POINTER) for name in ("name", "version", "summary", "states", "controls")]
        + [(name, POINTER) for name in ("observations", "parameters", "structure", "integrators")]
        + [("step_s", F64), ("sample_time_s", F64), ("scratch", U64)]
    )


class Plant:
    """One episode in the first of four lanes; the others hold copies."""

    def __init__(self, path):
        library = ctypes.CDLL(str(path))
        library.bitloop_plant_v1.restype = ctypes.POINTER(Descriptor)
        descriptor = library.bitloop_plant_v1().contents
        describe = ctypes.CFUNCTYPE(
            ctypes.POINTER(Description), POINTER, U32, POINTER, U32
        )(descriptor.describe)
        message = ctypes.create_string_buffer(256)
        found = describe(None, 0, ctypes.cast(message, POINTER), 256)
        if not found:
            sys.exit(message.value.decode())
        self.description = found.contents
        call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(Batch))
        self.functions = {"advance": call(descriptor.advance), "observe": call(descriptor.observe)}
        zeros = lambda n: np.zeros((max(n, 1), STRIDE))
        self.state = zeros(self.description.n_states)
        self.control = zeros(self.description.n_controls)
        self.observation = zeros(self.description.n_observations)
        self.cost, self.end_cost = zeros(1), zeros(1)
        self.end_step = np.zeros(STRIDE, dtype=np.uint32)

    def call(self, function, n_steps=0):
        self.end_step[:] = 0
        self.cost[:] = 0.0
        message = ctypes.create_string_buffer(256)
        batch = Batch(struct_size=ctypes.sizeof(Batch), n_lanes=4, stride=STRIDE, n_steps=n_steps)
        for name in ("state", "control", "observation", "cost", "end_step", "end_cost"):
            setattr(batch, name, getattr(self, name).ctypes.data)
        batch.message, batch.message_size = ctypes.addressof(message), 256
        batch.step_s, batch.integrator = self.description.step_s, PLANT_STEP
        batch.counts_cost = 1
        status = self.functions[function](ctypes.byref(batch))
        assert status == 0, message.value


def compare(path, name, offset):
    plant, environment = Plant(path), gymnasium.make(name).unwrapped
    environment.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_WARMSTART
    generator = np.random.default_rng(1)
    steps, ends = 0, 0
    for episode in range(20):
        observation, _ = environment.reset(seed=episode)
        n = environment.model.nq + environment.model.nv
        plant.state[:] = 0.0
        plant.state[:n] = environment.state_vector()[:, None]
        for step in range(200):
            if step > 0 or plant.description.n_states == n:
                plant.call("observe")
                assert np.array_equal(plant.observation[:, 0], observation), (name, step)
            low, high = environment.model.actuator_ctrlrange.T
            action = generator.uniform(low, high).astype(np.float32).astype(float)
            plant.control[:] = action[:, None]
            plant.call("advance", 1)
            observation, reward, terminated, _, _ = environment.step(action)
            assert bool(plant.end_step[0]) == terminated, (name, step)
            cost = plant.end_cost[0, 0] if terminated else plant.cost[0, 0]
            assert cost == max(offset - reward, 0.0), (name, step, cost, offset - reward)
            assert np.array_equal(plant.state[:n, 0], environment.state_vector()), (name, step)
            steps += 1
            if terminated:
                ends += 1
                break
    print(f"{name}: {steps} steps and {ends} ends are the same")


for file, (name, offset) in TASKS.items():
    compare(Path(sys.argv[1]).resolve() / f"{file}.so", name, offset)
