"""Packs a model of MuJoCo as an FMU: python make_fmu.py LIBRARY MODEL.xml OUT.fmu

Variables are the positions and velocities of joints by their names, activations, actuators and sensors.
"""

import hashlib
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import mujoco

JOINT = mujoco.mjtJoint
SIZES = {JOINT.mjJNT_FREE: (7, 6), JOINT.mjJNT_BALL: (4, 3)}


class Variables:
    """Names, and the lines of the description, in the order of the numbers that the library knows them by."""

    def __init__(self):
        self.lines, self.derivatives, self.names = [], [], set()
        self.add("time", 'causality="independent" variability="continuous"')

    def add(self, name, attributes, suffix=""):
        unique = name if name not in self.names else name + suffix
        while unique in self.names:
            unique += "'"
        self.names.add(unique)
        number = len(self.lines)
        self.lines.append(
            f'    <Float64 name={quoteattr(unique)} valueReference="{number}" {attributes}/>'
        )
        return number


def name_of(model, kind, index, usual):
    return mujoco.mj_id2name(model, kind, index) or f"{usual}[{index + 1}]"


def parts(name, n):
    """The names of the numbers of a vector."""
    return [name] if n == 1 else [f"{name}[{i + 1}]" for i in range(n)]


def joints(model):
    """Of each joint: its name, its type, its position in qpos, and how many numbers it has there and in qvel."""
    for index in range(model.njnt):
        kind = model.jnt_type[index]
        sizes = SIZES.get(JOINT(kind), (1, 1))
        name = name_of(model, mujoco.mjtObj.mjOBJ_JOINT, index, "joint")
        yield name, JOINT(kind), model.jnt_qposadr[index], sizes


def actuator(model, index):
    """Its name, or that of the joint that it moves."""
    moved = model.actuator_trnid[index][0]
    if model.actuator_trntype[index] == mujoco.mjtTrn.mjTRN_JOINT:
        usual = name_of(model, mujoco.mjtObj.mjOBJ_JOINT, moved, "joint") + ".actuator"
    else:
        usual = f"actuator[{index + 1}]"
    return mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, index) or usual


def describe(model, token):
    all_of = Variables()
    local = 'causality="local" variability="continuous"'
    start = local + ' initial="exact" start="{}"'
    positions, units = [], []
    for name, kind, at, (n_q, n_v) in joints(model):
        is_scalar = (n_q, n_v) == (1, 1)
        unit = {JOINT.mjJNT_SLIDE: "m", JOINT.mjJNT_HINGE: "rad"}.get(kind)
        for i, part in enumerate(parts(name, n_q)):
            attributes = start.format(float(model.qpos0[at + i]))
            number = all_of.add(part, attributes + (f' unit="{unit}"' if unit else ""))
            if is_scalar:
                positions.append(number)
        units += [unit] * n_v
        positions += [None] * (0 if is_scalar else n_v)
    velocities = []
    names = [part for name, _, _, (_, n_v) in joints(model) for part in parts(name + ".velocity", n_v)]
    for name, position, unit in zip(names, positions, units):
        attributes = start.format(0.0) + (f' unit="{unit}/s"' if unit else "")
        if position is not None:
            attributes += f' derivative="{position}"'
        number = all_of.add(name, attributes)
        velocities.append(number)
        if position is not None:
            all_of.derivatives.append(number)
    for i in range(model.na):
        all_of.add(f"activation[{i + 1}]", start.format(0.0))
    for name, velocity in zip(names, velocities):
        number = all_of.add(
            name.replace(".velocity", ".acceleration"), f'{local} derivative="{velocity}"'
        )
        all_of.derivatives.append(number)
    for i in range(model.nu):
        attributes = 'causality="input" variability="continuous" start="0.0"'
        if model.actuator_ctrllimited[i]:
            low, high = model.actuator_ctrlrange[i]
            attributes += f' min="{float(low)}" max="{float(high)}"'
        all_of.add(actuator(model, i), attributes, ".actuator")
    outputs = []
    for i in range(model.nsensor):
        name = name_of(model, mujoco.mjtObj.mjOBJ_SENSOR, i, "sensor")
        if name in all_of.names:
            name += ".sensor"
        for part in parts(name, model.sensor_dim[i]):
            outputs.append(all_of.add(part, 'causality="output" variability="continuous"'))
    title = model.names[: model.names.index(b"\0")].decode() or "model"
    structure = [f'    <Output valueReference="{n}"/>' for n in outputs]
    structure += [f'    <ContinuousStateDerivative valueReference="{n}"/>' for n in all_of.derivatives]
    units = "".join(f'    <Unit name="{unit}"/>\n' for unit in ("m", "rad", "m/s", "rad/s"))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(title)} instantiationToken="{token}"
    description={quoteattr(title + ", a model of MuJoCo " + mujoco.__version__)} generationTool="bitloop">
  <CoSimulation modelIdentifier="model_fmu"/>
  <UnitDefinitions>
{units}  </UnitDefinitions>
  <DefaultExperiment startTime="0" stepSize="{float(model.opt.timestep)}"/>
  <ModelVariables>
{chr(10).join(all_of.lines)}
  </ModelVariables>
  <ModelStructure>
{chr(10).join(structure)}
  </ModelStructure>
</fmiModelDescription>
"""


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    library, source, out = map(Path, sys.argv[1:])
    try:
        model = mujoco.MjModel.from_xml_path(str(source))
    except (ValueError, FileNotFoundError) as error:
        sys.exit(f"error: {source}: {error}")
    if model.nu == 0:
        sys.exit(f"error: {source}: the model has no actuator, which a controller could command")
    binary = out.with_suffix(".mjb")
    mujoco.mj_saveModel(model, str(binary))
    compiled = binary.read_bytes()
    binary.unlink()
    folder = "binaries/x86_64-linux/"
    runtime = next(Path(mujoco.__file__).parent.glob("libmujoco.so.*"))
    description = describe(model, hashlib.sha256(compiled).hexdigest())
    files = {
        "modelDescription.xml": description.encode(),
        folder + "model_fmu.so": library.read_bytes(),
        folder + runtime.name: runtime.read_bytes(),
        "resources/model.mjb": compiled,
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # Without the time of day, so that the same model gives the same bytes.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


main()
