//! The time: the system's, or, where there is none as in WebAssembly, what the host says.

pub(crate) use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;

#[cfg(target_family = "wasm")]
pub(crate) use self::host::{Instant, set_clock};

#[cfg(target_family = "wasm")]
mod host {
    use std::sync::OnceLock;

    use super::Duration;

    static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

    /// Sets where the time comes from: milliseconds from any point on. Without it, time stands still.
    pub(crate) fn set_clock(clock: fn() -> f64) {
        // A second clock would not fit the times that the first one told.
        let _ = CLOCK.set(clock);
    }

    /// A point in time, like the standard library's, which panics where the system has no clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Self {
            let milliseconds = CLOCK.get().map_or(0.0, |clock| clock());
            Instant(Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default())
        }

        pub(crate) fn elapsed(&self) -> Duration {
            Instant::now().duration_since(*self)
        }

        pub(crate) fn duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        pub(crate) fn checked_add(&self, duration: Duration) -> Option<Self> {
            self.0.checked_add(duration).map(Instant)
        }
    }
}
