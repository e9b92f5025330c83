//! The building blocks of exported functions: a guard around the body, and checked arguments and results.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::fmt::Display;
use std::mem::ManuallyDrop;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

use super::status::petteia_status;
use crate::any::AnyPosition;
use crate::error::text_of;
use crate::prelude::*;
use crate::shortage;
use crate::{ArgumentError, IllegalMove, MemoryError, ParseError, RecordError, SetupError, with_position};

/// Why a call failed: its status, and what the message for [`last_error`] is made of.
// Boxed, so that the result of a body fits in registers.
#[derive(Debug)]
pub(super) struct Failure(Box<Cause>);

#[derive(Debug)]
enum Cause {
    /// A status and its message.
    Told(petteia_status, String),
    /// An action that is not legal in a position without memory on the heap. Programs may play just to see whether they
    /// can, so the message is written only if somebody asks for it.
    Refused(ManuallyDrop<AnyPosition>, u32),
    /// There is no memory for something small.
    Short,
}

/// The message of a call for which there is no memory, not even for another message.
const SHORT: &str = "not enough memory for the call";

pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    #[cold]
    pub(super) fn new(status: petteia_status, message: impl Display) -> Self {
        Failure(Box::new(Cause::Told(status, text_of(&message))))
    }

    /// Describes an action that is not legal in a position.
    #[cold]
    pub(super) fn refused(position: &AnyPosition, action: u32) -> Self {
        // A large board is not kept for a message that may never be read.
        match with_position!(position, p => p.heap_bytes()) {
            0 => Failure(Box::new(Cause::Refused(ManuallyDrop::new(position.clone()), action))),
            _ => illegal(position, action).into(),
        }
    }

    /// Describes an argument that is out of range, in the core's words: `invalid width 9: expected 2 to 8`.
    #[cold]
    pub(super) fn invalid(name: &str, given: impl Display, expected: impl Display) -> Self {
        ArgumentError::new(name, given, expected).into()
    }

    /// Describes an argument that is wrong in some other way.
    #[cold]
    pub(super) fn argument(message: impl Display) -> Self {
        Failure::new(petteia_status::PETTEIA_INVALID_ARGUMENT, message)
    }

    #[cold]
    pub(super) fn no_memory(message: impl Display) -> Self {
        Failure::new(petteia_status::PETTEIA_NO_MEMORY, message)
    }

    #[cold]
    pub(super) fn null(name: &str) -> Self {
        Failure::new(petteia_status::PETTEIA_NULL_POINTER, format!("{name} is NULL"))
    }

    /// Describes why a call did not succeed.
    #[cold]
    fn of<T>(ended: thread::Result<Result<T>>) -> Self {
        match ended {
            _ if shortage::is_noted() => Failure(Box::new(Cause::Short)),
            Ok(Ok(_)) => unreachable!("it succeeded"),
            Ok(Err(failure)) => failure,
            Err(payload) => Failure::unwound(payload.as_ref()),
        }
    }

    /// Describes what unwound: an error, or a panic.
    #[cold]
    fn unwound(payload: &(dyn Any + Send)) -> Self {
        if let Some(error) = payload.downcast_ref::<MemoryError>() {
            return (*error).into();
        }
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("no message");
        Failure::new(petteia_status::PETTEIA_PANIC, format!("a bug in petteia, please report it: {text}"))
    }

    pub(super) fn status(&self) -> petteia_status {
        match *self.0 {
            Cause::Told(status, _) => status,
            Cause::Refused(..) => petteia_status::PETTEIA_ILLEGAL_MOVE,
            Cause::Short => petteia_status::PETTEIA_NO_MEMORY,
        }
    }

    pub(super) fn message(&self) -> String {
        match &*self.0 {
            Cause::Told(_, message) => message.clone(),
            Cause::Refused(position, action) => illegal(position, *action).to_string(),
            Cause::Short => SHORT.to_owned(),
        }
    }

    /// Becomes the thread's last error, and returns the status.
    #[cold]
    fn remember(self) -> petteia_status {
        let status = self.status();
        LAST_ERROR.with_borrow_mut(|last| last.set(*self.0));
        status
    }
}

/// Describes an action as the move that it is, if the game has it.
fn illegal(position: &AnyPosition, action: u32) -> IllegalMove {
    with_position!(position, p => match p.move_of(action as usize) {
        Some(m) => IllegalMove::new(p, &m),
        None => IllegalMove::new(p, &format!("action {action}")),
    })
}

/// What a thread keeps of its last failed call.
struct LastError {
    /// An action that was not legal, if that is why.
    refused: Option<(ManuallyDrop<AnyPosition>, u32)>,
    /// Else the message, and how long it is.
    message: [u8; MOST_BYTES],
    length: usize,
}

/// How many bytes of a message are kept: all but the oddest are shorter.
const MOST_BYTES: usize = 2048;

thread_local! {
    // All of it is here, and it has no destructor, which would take memory to register.
    static LAST_ERROR: RefCell<LastError> =
        const { RefCell::new(LastError { refused: None, message: [0; MOST_BYTES], length: 0 }) };
}

impl LastError {
    fn set(&mut self, cause: Cause) {
        let mut keep = |text: &str| {
            let ends = (0..=text.len().min(MOST_BYTES)).rev();
            self.length = ends.into_iter().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
            self.message[..self.length].copy_from_slice(&text.as_bytes()[..self.length]);
        };
        self.refused = None;
        match cause {
            Cause::Told(_, message) => keep(&message),
            Cause::Short => keep(SHORT),
            Cause::Refused(position, action) => self.refused = Some((position, action)),
        }
    }
}

/// Writes the message of the thread's last failed call; it is empty if there is none.
pub(super) fn write_last_error(out: OutText) {
    LAST_ERROR.with_borrow(|last| match &last.refused {
        // Short enough for the reserve, should there be no other memory.
        Some((position, action)) => {
            let message = shortage::aside(|| illegal(position, *action).to_string());
            out.write(&message);
        }
        None => out.write(std::str::from_utf8(&last.message[..last.length]).unwrap_or_default()),
    });
}

macro_rules! failure_from {
    ($($error:ty: $status:ident),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::new(petteia_status::$status, error)
            }
        })*
    };
}

failure_from! {
    ParseError: PETTEIA_PARSE_ERROR,
    IllegalMove: PETTEIA_ILLEGAL_MOVE,
    ArgumentError: PETTEIA_INVALID_ARGUMENT,
    MemoryError: PETTEIA_NO_MEMORY,
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Parse(error) => error.into(),
            RecordError::Illegal(error) => error.into(),
            RecordError::Memory(error) => error.into(),
        }
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::Argument(error) => error.into(),
            SetupError::Memory(error) => error.into(),
        }
    }
}

/// Runs the body of an exported function. Panics end here, lack of memory is noticed, and `failed` turns a failure into
/// what C gets.
#[inline]
pub(super) fn guard<T>(failed: impl FnOnce(Failure) -> T, body: impl FnOnce() -> Result<T>) -> T {
    match panic::catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) if !shortage::is_noted() => value,
        ended => {
            let value = failed(Failure::of(ended));
            // No call begins with a note: callbacks, amid which others may, run aside.
            shortage::forget();
            value
        }
    }
}

/// Fails if memory was missing in this call: to be called before what cannot be taken back.
#[inline]
pub(super) fn enough() -> Result<()> {
    if shortage::is_noted() { Err(Failure(Box::new(Cause::Short))) } else { Ok(()) }
}

/// Runs the body of a `petteia.h` function: returns its status and stores the message of a failure.
#[inline]
pub(super) fn status(body: impl FnOnce() -> Result<()>) -> petteia_status {
    guard(Failure::remember, || body().map(|()| petteia_status::PETTEIA_OK))
}

/// Borrows the target of a pointer.
///
/// # Safety
///
/// The pointer is NULL, or its target is valid and not written to while the reference lives.
#[inline]
pub(super) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::null(name))
}

/// Mutably borrows the target of a pointer.
///
/// # Safety
///
/// The pointer is NULL, or its target is valid and nothing else uses it while the reference lives.
#[inline]
pub(super) unsafe fn exclusive<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::null(name))
}

/// Borrows a NUL-terminated text.
///
/// # Safety
///
/// The pointer is NULL or a C string that does not change while the reference lives.
pub(super) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str> {
    if pointer.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|error| {
        let message = format!("{name} is not UTF-8: {error}");
        Failure::new(petteia_status::PETTEIA_NOT_UTF8, message)
    })
}

/// Borrows an array, which may be NULL if it is empty.
///
/// # Safety
///
/// The pointer is NULL or has `count` elements, which do not change while the slice lives.
pub(super) unsafe fn array<'a, T>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure::null(name));
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Failure::argument(format!("{name} cannot have {count} elements")));
    }
    // SAFETY: the caller's promise; the length was checked.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A pointer to one result, written last: a failed call writes nothing, nor does one that was short of memory, which
/// fails at its end.
pub(super) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Checks the pointer, which has a name in the header.
    ///
    /// # Safety
    ///
    /// The pointer is NULL or may be written to while the `Out` lives.
    #[inline]
    pub(super) unsafe fn new(pointer: *mut T, name: &str) -> Result<Self> {
        if pointer.is_null() { Err(Failure::null(name)) } else { Ok(Out(pointer)) }
    }

    #[inline]
    pub(super) fn write(self, value: T) {
        if !shortage::is_noted() {
            // SAFETY: `new` was promised that the pointer may be written to; the old value, not dropped, need not be
            // valid.
            unsafe { self.0.write(value) }
        }
    }
}

impl<T> Out<*mut T> {
    /// Hands a value over to C, to be freed by [`release`].
    pub(super) fn hand_over(self, value: T) {
        let value = Box::new(value);
        if !shortage::is_noted() {
            self.write(Box::into_raw(value));
        }
    }
}

/// Drops a value that [`Out::hand_over`] gave to C; NULL is ignored.
///
/// # Safety
///
/// The pointer is NULL or came from there, and is no longer used.
pub(super) unsafe fn release<T>(pointer: *mut T) {
    let drop = || {
        if !pointer.is_null() {
            // SAFETY: the caller's promise.
            drop(unsafe { Box::from_raw(pointer) });
        }
        Ok(())
    };
    status(drop);
}

/// A buffer for an array, and a pointer to its full length.
pub(super) struct OutArray<T> {
    elements: *mut T,
    capacity: usize,
    count: Out<usize>,
}

impl<T> OutArray<T> {
    /// Checks the pointers; `elements`, which has a name in the header, may be NULL if the capacity is 0.
    ///
    /// # Safety
    ///
    /// As for [`Out::new`], with room for `capacity` elements.
    #[inline]
    pub(super) unsafe fn new(
        elements: *mut T,
        capacity: usize,
        count: *mut usize,
        name: &str,
    ) -> Result<Self> {
        // SAFETY: the caller's promise.
        let count = unsafe { Out::new(count, "len") }?;
        if capacity > 0 && elements.is_null() {
            let message = format!("{name} is NULL: expected room for cap elements, or a cap of 0");
            return Err(Failure::new(petteia_status::PETTEIA_NULL_POINTER, message));
        }
        Ok(OutArray { elements, capacity, count })
    }

    /// Writes as many elements as fit, and the number of all.
    #[inline]
    pub(super) fn write(self, elements: impl ExactSizeIterator<Item = T>) {
        if shortage::is_noted() {
            return;
        }
        self.count.write(elements.len());
        for (i, element) in elements.take(self.capacity).enumerate() {
            // SAFETY: `new` was promised room for `capacity` elements, and i is below that.
            unsafe { self.elements.add(i).write(element) }
        }
    }
}

/// A buffer for a text with its NUL, and a pointer to its full length.
pub(super) struct OutText(OutArray<c_char>);

impl OutText {
    /// Checks the pointers; `buf` may be NULL if the capacity is 0.
    ///
    /// # Safety
    ///
    /// As for [`OutArray::new`].
    pub(super) unsafe fn new(buf: *mut c_char, cap: usize, len: *mut usize) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe { OutArray::new(buf, cap, len, "buf") }.map(OutText)
    }

    /// Writes as much of the text as fits, cut between characters, and its full length.
    pub(super) fn write(self, text: &str) {
        if shortage::is_noted() {
            return;
        }
        let OutArray { elements, capacity, count } = self.0;
        count.write(text.len());
        if capacity > 0 {
            let mut end = text.len().min(capacity - 1);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            // SAFETY: `new` was promised room for `capacity` bytes, which `end` and a NUL do not exceed.
            unsafe {
                elements.copy_from_nonoverlapping(text.as_ptr().cast(), end);
                elements.add(end).write(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_status() {
        assert_eq!(status(|| panic!("out of {}", "tune")), petteia_status::PETTEIA_PANIC);
        assert_eq!(last_error(), "a bug in petteia, please report it: out of tune");
        assert_eq!(guard(|_| 7, || panic!("plain")), 7);
    }

    fn last_error() -> String {
        let mut buf = [0 as c_char; 2 * MOST_BYTES];
        let mut len = 0;
        // SAFETY: both point to local variables, and the text ends with a NUL.
        unsafe {
            write_last_error(OutText::new(buf.as_mut_ptr(), buf.len(), &raw mut len).expect("no NULL"));
            CStr::from_ptr(buf.as_ptr()).to_str().expect("UTF-8").to_owned()
        }
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let long = "é".repeat(MOST_BYTES);
        assert_eq!(
            status(|| Err(Failure::argument(format!("a{long}")))),
            petteia_status::PETTEIA_INVALID_ARGUMENT
        );
        assert_eq!(last_error(), format!("a{}", &long[..MOST_BYTES - 2]));
    }

    /// With the note that memory was missing, a call fails, whatever it does, and writes nothing; the next succeeds.
    #[test]
    fn lack_of_memory_is_a_status() {
        let mut result = 7;
        let place = &raw mut result;
        // SAFETY: it points to a local variable.
        let write = || unsafe { Out::new(place, "place") }.map(|out| out.write(8));
        let bodies: [fn() -> Result<()>; 3] =
            [|| Ok(()), || Err(Failure::argument("wrong")), || panic!("out of tune")];
        for body in bodies {
            let short = status(|| {
                shortage::note();
                write()?;
                body()
            });
            assert_eq!((short, last_error().as_str()), (petteia_status::PETTEIA_NO_MEMORY, SHORT));
            // SAFETY: as above.
            assert_eq!(unsafe { place.read() }, 7);
        }
        assert_eq!(status(write), petteia_status::PETTEIA_OK);
        assert_eq!(result, 8);
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        let mut buf = [1 as c_char; 8];
        let mut len = 0;
        // SAFETY: both point to local variables.
        let out = unsafe { OutText::new(buf.as_mut_ptr(), 3, &raw mut len) };
        out.expect("no NULL").write("aéz");
        assert_eq!((len, &buf[..4]), (4, &[b'a' as c_char, 0, 1, 1][..]));
    }
}
