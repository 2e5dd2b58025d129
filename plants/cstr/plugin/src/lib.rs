//! The stirred-tank reactor as a library; all of it is in `bitloop-cstr`.

#![forbid(unsafe_code)]

bitloop_plant::export_plant!(static bitloop_cstr::DESCRIPTOR, name: "cstr");
