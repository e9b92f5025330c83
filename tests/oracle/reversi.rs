//! A slow, simple Reversi to compare with, written from the document alone: a list of rows.

/// A square as column and row.
pub type Place = (usize, usize);

/// A game: rows of `D`, `L` and `_`, and who is next (`-` when nobody is).
#[derive(Clone, Debug)]
pub struct Oracle {
    pub rows: Vec<Vec<char>>,
    pub next: char,
}

impl Oracle {
    pub fn new(width: usize, height: usize) -> Self {
        Oracle { rows: vec![vec!['_'; width]; height], next: 'D' }
    }

    fn get(&self, x: i32, y: i32) -> Option<char> {
        let row = self.rows.get(usize::try_from(y).ok()?)?;
        row.get(usize::try_from(x).ok()?).copied()
    }

    /// Returns the squares flipped in one direction: the opponent's, up to one of the player's.
    fn flips(&self, player: char, (x, y): Place, dx: i32, dy: i32) -> Vec<Place> {
        let other = if player == 'D' { 'L' } else { 'D' };
        let mut found = vec![];
        for distance in 1.. {
            let (at_x, at_y) = (x as i32 + dx * distance, y as i32 + dy * distance);
            match self.get(at_x, at_y) {
                Some(cell) if cell == other => found.push((at_x as usize, at_y as usize)),
                Some(cell) if cell == player => return found,
                _ => break,
            }
        }
        vec![]
    }

    /// Returns every legal move with the squares it gains, sorted by column, then row.
    pub fn moves_of(&self, player: char) -> Vec<(Place, Vec<Place>)> {
        let (width, height) = (self.rows[0].len(), self.rows.len());
        let (cx, cy) = (width / 2, height / 2);
        let center = [(cx - 1, cy - 1), (cx - 1, cy), (cx, cy - 1), (cx, cy)];
        let opening: Vec<_> = center.into_iter().filter(|&(x, y)| self.rows[y][x] == '_').collect();
        if !opening.is_empty() {
            return opening.into_iter().map(|place| (place, vec![place])).collect();
        }
        let mut moves = vec![];
        for x in 0..width {
            for y in 0..height {
                let mut gained = vec![];
                for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                    gained.extend(self.flips(player, (x, y), dx, dy));
                }
                if self.rows[y][x] == '_' && !gained.is_empty() {
                    gained.push((x, y));
                    gained.sort();
                    moves.push(((x, y), gained));
                }
            }
        }
        moves
    }

    pub fn moves(&self) -> Vec<(Place, Vec<Place>)> {
        if self.next == '-' { vec![] } else { self.moves_of(self.next) }
    }

    pub fn play(&mut self, place: Place) {
        let player = self.next;
        let moves = self.moves();
        let (_, gained) = moves.iter().find(|(square, _)| *square == place).expect("a legal move");
        for &(x, y) in gained {
            self.rows[y][x] = player;
        }
        let other = if player == 'D' { 'L' } else { 'D' };
        self.next = [other, player].into_iter().find(|&p| !self.moves_of(p).is_empty()).unwrap_or('-');
    }

    pub fn count(&self, cell: char) -> usize {
        self.rows.iter().flatten().filter(|c| **c == cell).count()
    }

    /// Returns the winner, or `_` in a tie and while the game goes on.
    pub fn winner(&self) -> char {
        match (self.next, self.count('D').cmp(&self.count('L'))) {
            ('-', std::cmp::Ordering::Greater) => 'D',
            ('-', std::cmp::Ordering::Less) => 'L',
            _ => '_',
        }
    }

    pub fn text(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), self.next)
    }
}
