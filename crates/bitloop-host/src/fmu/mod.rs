//! [`FmuPlant`]: an FMU as a plant, by Model Exchange or Co-Simulation.
//!
//! In Model Exchange, the model is a pure derivative: state, time and controls are set before each evaluation, and bitloop's own
//! integrators take the steps; an instance is reset when parameters change. In Co-Simulation, the model takes its own steps and
//! owns its state, and each episode has an instance.
//!
//! A library is loaded from memory as those of plants are, unless the FMU has other files that it may need: then all are
//! unpacked to a folder which is removed when the plant is dropped.

mod co_simulation;
mod error;
mod expressions;
mod functions;
mod instance;
mod load;
mod simulator;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bitloop_fmu::{Fmu, InterfaceType};
use bitloop_plant::abi::{CAPABILITY_LANE_BY_LANE, CAPABILITY_MACHINE_BITS, CAPABILITY_PORTABLE};
use bitloop_plant::{Description, DescriptionError, PlantHandle};

pub use error::{FmuError, FmuPlantFault};

use crate::process_state::Disturbance;
use co_simulation::SteppedFmu;
use load::Loaded;
use simulator::FmuSimulator;

/// An FMU that was opened as a plant.
#[derive(Clone, Debug)]
pub struct FmuPlant {
    path: PathBuf,
    digest: String,
    disturbance: Disturbance,
    plant: PlantHandle,
}

impl FmuPlant {
    /// Opens the FMU at `path` with the file beside it.
    ///
    /// # Errors
    /// [`FmuError`] says what is wrong with either, or with the model in it.
    pub fn open(path: &Path) -> Result<Self, FmuError> {
        Self::open_file(path).map_err(|fault| FmuError { path: path.to_owned(), fault })
    }

    /// Reads and checks the FMU at `path` and the file beside it, and runs no code of it.
    ///
    /// # Errors
    /// [`FmuError`] as far as that shows what is wrong.
    pub fn check(path: &Path) -> Result<(), FmuError> {
        Fmu::read(path)
            .map(drop)
            .map_err(|fault| FmuError { path: path.to_owned(), fault: fault.into() })
    }

    fn open_file(path: &Path) -> Result<Self, FmuPlantFault> {
        let mut fmu = Fmu::read(path)?;
        let loaded = Loaded::of(&mut fmu)?;
        let disturbance = loaded.disturbance().clone();
        let digest = fmu.digest().to_owned();
        let mut plan = fmu.plan;
        // A model may call whatever functions the system has.
        let capabilities = CAPABILITY_PORTABLE | CAPABILITY_LANE_BY_LANE | CAPABILITY_MACHINE_BITS;
        let plant = if fmu.interface_type == InterfaceType::CoSimulation {
            co_simulation::complete(&loaded, &mut plan)?;
            let description = plan.description.clone();
            let maker = Arc::new(SteppedFmu::new(loaded, plan));
            PlantHandle::with_instances(description, maker, capabilities)
        } else {
            let max_instances = if fmu.interface.is_once_per_process { 1 } else { usize::MAX };
            simulator::complete(&loaded, &mut plan)?;
            let description = plan.description.clone();
            let simulator = Arc::new(FmuSimulator::new(loaded, plan, max_instances));
            PlantHandle::simulated(description, simulator, capabilities)
        };
        let plant =
            plant.map_err(|error: DescriptionError| FmuPlantFault::Start(error.to_string()))?;
        Ok(Self { path: path.to_owned(), digest, disturbance, plant })
    }

    /// The plant.
    #[must_use]
    pub const fn plant(&self) -> &PlantHandle {
        &self.plant
    }

    /// What the plant says of itself.
    #[must_use]
    pub fn description(&self) -> &Description {
        self.plant.description()
    }

    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// BLAKE3 of the FMU and of the file beside it, 64 hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// What loading its library changed in this process.
    #[must_use]
    pub const fn disturbance(&self) -> &Disturbance {
        &self.disturbance
    }
}
