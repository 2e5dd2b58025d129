//! `bitloop replay --fixed`: the controller in the arithmetic of the export to fixed point.

use bitloop_export::Fixed;
use bitloop_scenario::ControllerFile;

use crate::args::ReplayArgs;
use crate::controller::export_failure;
use crate::failure::Failure;

/// The controller in fixed point, if that is asked for.
pub fn controller(
    args: &ReplayArgs,
    controller: &ControllerFile,
) -> Result<Option<Fixed>, Failure> {
    if !args.fixed {
        return Ok(None);
    }
    bitloop_export::controller(&controller.value)
        .and_then(|portable| Fixed::new(&portable))
        .map(Some)
        .map_err(|error| export_failure(&args.controller, error))
}
