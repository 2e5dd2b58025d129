//! The pendulum with a weak motor as a library; all of it is in `bitloop-pendulum-swing-up`.

#![forbid(unsafe_code)]

bitloop_plant::export_plant!(static bitloop_pendulum_swing_up::DESCRIPTOR, name: "pendulum-swing-up");
