import pathlib
import platform
import subprocess
import tempfile
import zipfile

import fmpy
import fmpy.validation

PLATFORMS = {2: {"Linux": "linux64", "Darwin": "darwin64"}, 3: {"Linux": "x86_64-linux", "Darwin": "x86_64-darwin"}}


def add_library(archive, version):
    """Compiles the sources for this machine, unless that is done already."""
    system = platform.system()
    ending = {"Linux": "so", "Darwin": "dylib"}[system]
    place = f"binaries/{PLATFORMS[version][system]}/{NAME}.{ending}"
    with zipfile.ZipFile(archive, "a") as fmu, tempfile.TemporaryDirectory() as folder:
        if place in fmu.namelist():
            return
        fmu.extractall(folder)
        sources = pathlib.Path(folder) / "sources"
        command = ["cc", "-std=c99", "-O2", "-shared", "-fPIC", "-o", "library", f"fmi{version}.c", f"{NAME}.c"]
        subprocess.run(command, cwd=sources, check=True)
        fmu.write(sources / "library", place)


def differing(archive, inputs, expected):
    """How many steps of a co-simulation from the start give other bits."""
    rows = [(at * SAMPLE_TIME_S, *values) for at, values in enumerate(inputs)]
    signals = np.array(rows, dtype=[("time", float)] + [(name, float) for name in INPUT_NAMES])
    result = fmpy.simulate_fmu(
        archive, stop_time=len(inputs) * SAMPLE_TIME_S, step_size=SAMPLE_TIME_S, output_interval=SAMPLE_TIME_S,
        input=signals, output=OUTPUT_NAMES, fmi_type="CoSimulation", use_event_mode=False,
    )
    # Outputs are those at the end of each step.
    found = np.stack([result[name][1:] for name in OUTPUT_NAMES], axis=1)
    return int(np.sum(np.any(found[: len(expected)] != np.array(expected), axis=1))) + len(expected) - len(found)


def self_test():
    """Validates both archives and runs the test vectors up to the reset; the count of all that is wrong."""
    n_wrong = 0
    for version in (2, 3):
        archive = f"{NAME}_fmi{version}.fmu"
        add_library(archive, version)
        problems = fmpy.validation.validate_fmu(archive)
        n_differing = differing(archive, INPUTS[:RESET_AT], OUTPUTS[:RESET_AT])
        print(f"{archive}: {RESET_AT} steps, {n_differing} differ from bitloop; validation: {problems or 'no problems'}")
        n_wrong += n_differing + len(problems)
    return n_wrong


if __name__ == "__main__":
    raise SystemExit(self_test() != 0)
