//! The mass on a spring as a library; all of it is in `bitloop-mass-spring-damper`.

#![forbid(unsafe_code)]

bitloop_plant::export_plant!(static bitloop_mass_spring_damper::DESCRIPTOR, name: "mass-spring-damper");
