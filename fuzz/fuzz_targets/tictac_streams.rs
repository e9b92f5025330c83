#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| petteia_fuzz::tictac_streams::law(data));
