//! The inverted pendulum as a library; all of it is in `bitloop-inverted-pendulum`.

#![forbid(unsafe_code)]

bitloop_plant::export_plant!(static bitloop_inverted_pendulum::DESCRIPTOR, name: "inverted-pendulum");
