//! The acrobot as a library; all of it is in `bitloop-acrobot`.

#![forbid(unsafe_code)]

bitloop_plant::export_plant!(static bitloop_acrobot::DESCRIPTOR, name: "acrobot");
