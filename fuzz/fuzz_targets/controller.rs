#![no_main]

#[path = "../readers/controller.rs"]
mod reader;
#[path = "../readers/saved.rs"]
mod saved;

libfuzzer_sys::fuzz_target!(|data: &[u8]| reader::read(data));
