//! [`Calls`]: the ways in which a plant is called.

use std::sync::Arc;

use crate::batch_call::BatchCall;
use crate::codes::STATUS_PANIC;
use crate::contract::{InstancesTable, PlantTable};
use crate::function::Function;
use crate::instance_calls;
use crate::instances::InstanceMaker;
use crate::plant_lanes::PlantLanes;
use crate::simulator_pool::SimulatorPool;
use crate::slot_worker::Broken;

/// How a plant is called.
#[derive(Clone)]
pub(crate) enum Calls {
    /// Of a plant that is linked into the program.
    Linked(PlantTable),
    /// Of a library, or of a plant in another process.
    Table(PlantTable),
    /// Of a library whose plant owns its state; the table gives failure costs alone.
    Slots {
        table: PlantTable,
        instances: InstancesTable,
    },
    Simulator(Arc<SimulatorPool>),
    Instances(Arc<dyn InstanceMaker>),
}

impl Calls {
    /// Calls a function of a plant that is no table alone.
    #[inline(never)]
    pub fn call(
        &self,
        function: Function,
        call: &BatchCall<'_>,
        lanes: &mut PlantLanes,
    ) -> Result<(), Broken> {
        let BatchCall { isa, n_lanes, stretch, .. } = *call;
        match self {
            Self::Linked(table) | Self::Table(table) => call.of_table(table, function, lanes),
            Self::Slots { table, instances } => match function {
                Function::FailureCost => call.of_table(table, function, lanes),
                _ => call.of_slots(instances, function, lanes),
            },
            Self::Simulator(pool) => pool
                .call(function, isa, lanes, n_lanes, stretch)
                .map_err(|message| (STATUS_PANIC, message)),
            Self::Instances(maker) => {
                instance_calls::call(&**maker, function, lanes, n_lanes, stretch)
                    .map_err(|message| (STATUS_PANIC, message))
            }
        }
    }
}
