//! A server of files, which does nothing else: the twin of python/petteia/web/serve.py.
//!
//! A connection, a thread each, either waits for a request or is being answered. Those that wait are cut off after a
//! while, and where there are too many, the one that has waited longest makes room for a new one: so half-sent requests,
//! however many, keep nobody out.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use flate2::Compression;
use flate2::write::GzEncoder;

const MOST_CONNECTIONS: usize = 1000;
/// How long every connection is given for the head of a request.
const SHORTEST_WAIT: Duration = Duration::from_millis(50);
/// How long until it is cut off, and so is a connection that is idle.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// How long it may take to receive the answer.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);
const LARGEST_HEAD: usize = 16 * 1024;
/// How many bytes are read or sent at a time.
const PIECE: usize = 64 * 1024;

/// Returns the content type of a file by the end of its name.
fn kind(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "ts" | "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// What every answer has. The policy forbids all that the page does not do, such as to ask other servers.
const HEADERS: &str = "cache-control: no-cache\r\n\
    vary: accept-encoding\r\n\
    content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'\r\n\
    cross-origin-opener-policy: same-origin\r\n\
    cross-origin-resource-policy: same-origin\r\n\
    referrer-policy: no-referrer\r\n\
    x-content-type-options: nosniff\r\n";

/// A file of the page.
pub(super) struct File {
    pub(super) name: &'static str,
    content: &'static [u8],
    /// With gzip, where that is smaller, made when it is first needed.
    packed: OnceLock<Option<Vec<u8>>>,
}

impl File {
    pub(super) const fn new(name: &'static str, content: &'static [u8]) -> Self {
        File { name, content, packed: OnceLock::new() }
    }

    fn packed(&self) -> Option<&[u8]> {
        let pack = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(self.content).ok()?;
            encoder.finish().ok().filter(|packed| packed.len() * 10 < self.content.len() * 9)
        };
        self.packed.get_or_init(pack).as_deref()
    }

    /// Returns what changes with the content.
    fn tag(&self) -> String {
        let mut hasher = DefaultHasher::new();
        hasher.write(self.content);
        format!("\"{:016x}\"", hasher.finish())
    }
}

/// The connections, which all threads share.
struct Crowd {
    /// How many there are.
    count: usize,
    /// How many there may be.
    most: usize,
    /// Those that wait, by numbers that grow: the first has waited longest.
    waiting: BTreeMap<u64, (Instant, Arc<TcpStream>)>,
    next: u64,
}

/// Serves files to clients whose Host header names this server.
pub(super) struct Server {
    files: &'static [File],
    host: String,
    crowd: Mutex<Crowd>,
    /// Wakes the thread that accepts connections, when one has ended.
    ended: Condvar,
}

impl Server {
    pub(super) fn new(files: &'static [File], host: String) -> Self {
        let crowd = Crowd { count: 0, most: MOST_CONNECTIONS, waiting: BTreeMap::new(), next: 0 };
        Server { files, host, crowd: Mutex::new(crowd), ended: Condvar::new() }
    }

    /// Serves until the process ends.
    pub(super) fn run(self, listener: &TcpListener) -> ! {
        let server = Arc::new(self);
        let files = server.files;
        // Nobody should wait for this.
        thread::spawn(move || files.iter().for_each(|file| _ = file.packed()));
        loop {
            server.make_room();
            match listener.accept() {
                Ok((stream, _)) => {
                    server.crowd().count += 1;
                    let own = Arc::clone(&server);
                    let ends = End(Arc::clone(&server));
                    // Without a thread, the connection is closed.
                    let _ = thread::Builder::new().spawn(move || {
                        let _ends = ends;
                        own.attend(&Arc::new(stream));
                    });
                }
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted
                    ) => {}
                Err(_) => {
                    // The system has no more files: so many connections there can be.
                    let mut crowd = server.crowd();
                    crowd.most = crowd.count.max(1);
                    drop(crowd);
                    thread::sleep(SHORTEST_WAIT);
                }
            }
        }
    }

    fn crowd(&self) -> MutexGuard<'_, Crowd> {
        self.crowd.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until one more connection can be accepted, if need be in the place of the one that has waited longest.
    fn make_room(&self) {
        let mut crowd = self.crowd();
        while crowd.count >= crowd.most {
            if let Some(oldest) = crowd.waiting.first_entry() {
                if oldest.get().0.elapsed() >= SHORTEST_WAIT {
                    // Its thread ends then.
                    let _ = oldest.remove().1.shutdown(Shutdown::Both);
                }
            }
            crowd = self.ended.wait_timeout(crowd, SHORTEST_WAIT).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Answers the requests of a connection.
    fn attend(&self, stream: &Arc<TcpStream>) {
        // Without the delay of Nagle's algorithm.
        let _ = stream.set_nodelay(true);
        let mut received = Vec::new();
        while let Some(heard) = self.wait(stream, |deadline| hear(stream, &mut received, deadline)) {
            let answer = heard.map_or_else(|refusal| refusal.answer(false), |head| self.answer(&head));
            if send(stream, &[&answer.head, answer.body]).is_err() {
                return;
            }
            if answer.last {
                // The client closes first: if it is still sending, it would lose the answer otherwise.
                if stream.shutdown(Shutdown::Write).is_ok() {
                    self.wait(
                        stream,
                        |deadline| while receive(stream, &mut Vec::new(), deadline).is_some() {},
                    );
                }
                return;
            }
        }
    }

    /// Does what takes the client's time, during which the connection may be closed.
    fn wait<T>(&self, stream: &Arc<TcpStream>, hear: impl FnOnce(Instant) -> T) -> T {
        let now = Instant::now();
        let mut crowd = self.crowd();
        let number = crowd.next;
        crowd.next += 1;
        crowd.waiting.insert(number, (now, Arc::clone(stream)));
        drop(crowd);
        let heard = hear(now + LONGEST_WAIT);
        self.crowd().waiting.remove(&number);
        heard
    }

    /// Returns the answer to the head of a request, without the empty line at its end.
    fn answer(&self, head: &[u8]) -> Answer {
        let bodyless = head.starts_with(b"HEAD ");
        self.file(head).unwrap_or_else(|refusal| refusal.answer(bodyless))
    }

    fn file(&self, head: &[u8]) -> Result<Answer, Refusal> {
        let mut lines = split(head, b"\r\n").into_iter();
        let request = Request::read(lines.next().unwrap_or_default())?;
        let headers = Headers::read(lines)?;
        self.admit(&headers)?;
        if !matches!(request.method, b"GET" | b"HEAD") {
            return Err(refusal("405 Method Not Allowed", "expected GET or HEAD"));
        }
        let path = request.target.strip_prefix(b"/");
        let path = path.ok_or_else(|| refusal("400 Bad Request", "expected a path that begins with /"))?;
        let path = decoded(path.split(|&byte| byte == b'?').next().unwrap_or_default());
        let name = if path.is_empty() { b"index.html" } else { &path[..] };
        let file = self.files.iter().find(|file| file.name.as_bytes() == name);
        let file = file.ok_or_else(|| refusal("404 Not Found", "there is no such file"))?;
        // What may follow is not read: neither a body nor, in old clients, another request.
        let has_body = headers.get("content-length").is_some_and(|length| length != "0")
            || headers.get("transfer-encoding").is_some();
        let closes = headers.words("connection").any(|word| word == "close");
        let last = has_body || request.is_old || closes;
        Ok(compose(file, &headers, request.method == b"HEAD", last))
    }

    /// Refuses requests from other pages, and by a foreign name, which DNS rebinding lets point here.
    fn admit(&self, headers: &Headers) -> Result<(), Refusal> {
        let host = headers.get("host").ok_or_else(|| refusal("400 Bad Request", "expected a Host header"))?;
        if !self.is_here(host) {
            return Err(refusal("403 Forbidden", "this host is not served here"));
        }
        if headers.get("origin").is_some_and(|origin| origin != format!("http://{host}")) {
            return Err(refusal("403 Forbidden", "requests from other pages are refused"));
        }
        Ok(())
    }

    /// Returns whether a Host header names this server: by its address, localhost or what it listens on.
    fn is_here(&self, host: &str) -> bool {
        let port = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
        let name = port.map_or(host, |(name, _)| name).to_ascii_lowercase();
        if name == "localhost" || name == self.host.to_ascii_lowercase() {
            return true;
        }
        let address = name.strip_prefix('[').unwrap_or(&name);
        let Ok(address) = address.strip_suffix(']').unwrap_or(address).parse::<IpAddr>() else {
            return false;
        };
        let everywhere = self.host.parse().is_ok_and(|host: IpAddr| host.is_unspecified());
        address.is_loopback() || everywhere || address.to_string() == self.host
    }
}

/// Tells the server that a connection has ended.
struct End(Arc<Server>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.crowd().count -= 1;
        self.0.ended.notify_one();
    }
}

/// Waits for the head of a request, and returns it without the empty line at its end, or `None` if none comes.
fn hear(stream: &TcpStream, received: &mut Vec<u8>, deadline: Instant) -> Option<Result<Vec<u8>, Refusal>> {
    loop {
        let end = received.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        if end.unwrap_or(received.len()) > LARGEST_HEAD {
            let reason = format!("expected a request of at most {LARGEST_HEAD} bytes");
            return Some(Err(Refusal("431 Request Header Fields Too Large", reason)));
        }
        if let Some(end) = end {
            let head = received[..end].to_vec();
            received.drain(..end + 4);
            return Some(Ok(head));
        }
        // Such as the beginning of https.
        if received.first().is_some_and(|byte| !byte.is_ascii_alphabetic()) {
            return Some(Err(no_request()));
        }
        receive(stream, received, deadline)?;
    }
}

/// Adds what has come to the bytes that were received, and returns `None` if the client is silent or gone.
fn receive(mut stream: &TcpStream, received: &mut Vec<u8>, deadline: Instant) -> Option<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    // No time at all would be taken for no limit.
    if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
        return None;
    }
    let mut piece = [0; 4096];
    let count = stream.read(&mut piece).ok().filter(|&count| count > 0)?;
    received.extend_from_slice(&piece[..count]);
    Some(())
}

/// Sends an answer, piece by piece.
fn send(mut stream: &TcpStream, parts: &[&[u8]]) -> io::Result<()> {
    let deadline = Instant::now() + LONGEST_ANSWER;
    for piece in parts.iter().flat_map(|part| part.chunks(PIECE)) {
        let mut unsent = piece;
        while !unsent.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            stream.set_write_timeout(Some(left))?;
            unsent = &unsent[stream.write(unsent)?..];
        }
    }
    Ok(())
}

/// The answer to a request.
struct Answer {
    head: Vec<u8>,
    body: &'static [u8],
    /// Whether the connection ends with it.
    last: bool,
}

/// Returns the answer that has a file, or tells that the browser has it already.
fn compose(file: &'static File, headers: &Headers, bodyless: bool, last: bool) -> Answer {
    let tag = file.tag();
    let known = headers.get("if-none-match").unwrap_or_default();
    let is_known = known
        .split(',')
        .map(|known| known.trim_matches(BLANK))
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag);
    if is_known {
        let told = format!("etag: W/{tag}\r\n");
        return Answer { head: head("304 Not Modified", &told, None, last), body: b"", last };
    }
    let packed = if headers.take_gzip() { file.packed() } else { None };
    let body = packed.unwrap_or(file.content);
    let encoding = if packed.is_some() { "content-encoding: gzip\r\n" } else { "" };
    let told = format!("content-type: {}\r\netag: W/{tag}\r\n{encoding}", kind(file.name));
    let head = head("200 OK", &told, Some(body.len()), last);
    Answer { head, body: if bodyless { b"" } else { body }, last }
}

/// Returns the head of an answer.
fn head(status: &str, told: &str, length: Option<usize>, last: bool) -> Vec<u8> {
    let date = date(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs());
    let length = length.map(|length| format!("content-length: {length}\r\n")).unwrap_or_default();
    let close = if last { "connection: close\r\n" } else { "" };
    format!("HTTP/1.1 {status}\r\ndate: {date}\r\n{told}{HEADERS}{length}{close}\r\n").into_bytes()
}

/// Returns a time as HTTP writes it, from the seconds since 1970.
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86400, seconds % 86400);
    // Years of 365 days from March on, after so many leap days: 400 years have 146097 days.
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = 400 * era + year + u64::from(month >= 10);
    let names = ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"];
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let (hour, minute) = (second / 3600, second / 60 % 60);
    let (weekday, month) = (weekdays[(days % 7) as usize], names[month as usize]);
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{:02} GMT", second % 60)
}

/// A request that is refused: the status and the reason.
struct Refusal(&'static str, String);

fn refusal(status: &'static str, reason: &str) -> Refusal {
    Refusal(status, reason.to_owned())
}

fn no_request() -> Refusal {
    refusal("400 Bad Request", "expected a request such as GET / HTTP/1.1")
}

impl Refusal {
    fn answer(self, bodyless: bool) -> Answer {
        let Refusal(status, reason) = self;
        let allow = if status.starts_with("405") { "allow: GET, HEAD\r\n" } else { "" };
        let told = format!("content-type: text/plain; charset=utf-8\r\n{allow}");
        let mut head = head(status, &told, Some(reason.len() + 1), true);
        if !bodyless {
            head.extend(reason.bytes().chain([b'\n']));
        }
        Answer { head, body: b"", last: true }
    }
}

/// The first line of a request.
struct Request<'a> {
    method: &'a [u8],
    target: &'a [u8],
    /// Whether it is of HTTP/1.0.
    is_old: bool,
}

impl<'a> Request<'a> {
    fn read(line: &'a [u8]) -> Result<Self, Refusal> {
        let parts: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
        let &[method, target, version] = &parts[..] else { return Err(no_request()) };
        let Some(&[major, b'.', minor]) = version.strip_prefix(b"HTTP/") else { return Err(no_request()) };
        let is_method = !method.is_empty() && method.iter().all(u8::is_ascii_uppercase);
        let is_target = !target.is_empty() && !target.iter().any(|byte| matches!(byte, b'\t'..=b'\r'));
        if !(is_method && is_target && major.is_ascii_digit() && minor.is_ascii_digit()) {
            return Err(no_request());
        }
        if major != b'1' {
            return Err(refusal("505 HTTP Version Not Supported", "expected HTTP/1.1"));
        }
        Ok(Request { method, target, is_old: minor == b'0' })
    }
}

const BLANK: [char; 2] = [' ', '\t'];

/// Headers by their names in lower case, the values of one name in a list with commas.
struct Headers(BTreeMap<String, String>);

impl Headers {
    fn read<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Result<Self, Refusal> {
        let mut headers: BTreeMap<String, String> = BTreeMap::new();
        for line in lines {
            // Every byte is a character.
            let line: String = line.iter().map(|&byte| char::from(byte)).collect();
            let is_name = |name: &str| {
                !name.is_empty()
                    && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+.^_`|~-".contains(&b))
            };
            let header = line.split_once(':').filter(|(name, _)| is_name(name));
            let (name, value) = header
                .ok_or_else(|| refusal("400 Bad Request", "expected headers such as Host: localhost"))?;
            let (name, value) = (name.to_ascii_lowercase(), value.trim_matches(BLANK));
            match headers.get_mut(&name) {
                Some(_) if name == "host" => {
                    return Err(refusal("400 Bad Request", "expected one Host header"));
                }
                Some(_) if name == "origin" => {
                    return Err(refusal("400 Bad Request", "expected one Origin header"));
                }
                Some(list) => *list += &format!(", {value}"),
                None => drop(headers.insert(name, value.to_owned())),
            }
        }
        Ok(Headers(headers))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the words of a header with a list.
    fn words(&self, name: &str) -> impl Iterator<Item = String> + '_ {
        let value = self.get(name).unwrap_or_default();
        value.split(',').map(|word| word.trim_matches(BLANK).to_ascii_lowercase())
    }

    /// Returns whether the Accept-Encoding header has gzip, with a weight other than 0.
    fn take_gzip(&self) -> bool {
        self.words("accept-encoding").any(|word| {
            let (name, weight) = word.split_once(';').unwrap_or((&word, ""));
            let weight = weight.replace(' ', "");
            name.trim_matches(BLANK) == "gzip" && weight.trim_end_matches(['0', '.']) != "q="
        })
    }
}

/// Returns the parts of bytes between separators.
fn split<'a>(mut bytes: &'a [u8], separator: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    while let Some(end) = bytes.windows(separator.len()).position(|window| window == separator) {
        parts.push(&bytes[..end]);
        bytes = &bytes[end + separator.len()..];
    }
    parts.push(bytes);
    parts
}

/// Returns bytes with what is escaped as %20 decoded.
fn decoded(bytes: &[u8]) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let (mut decoded, mut place) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(place) {
        match (byte, digit(bytes.get(place + 1)), digit(bytes.get(place + 2))) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((16 * high + low) as u8);
                place += 3;
            }
            _ => {
                decoded.push(byte);
                place += 1;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_http() {
        for (seconds, text) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
