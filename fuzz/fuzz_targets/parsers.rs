#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| petteia_fuzz::parsers::law(data));
