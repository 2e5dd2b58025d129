//! The acrobot as a library; all of it is in `bitloop-acrobot`.

#![forbid(unsafe_code)]

bitloop_plant::export_plant!(bitloop_acrobot::Acrobot);
