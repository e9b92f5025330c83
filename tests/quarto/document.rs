//! The document's types: what they do, and their error messages.

use petteia::Bot;
use petteia::quarto::{
    Board, Color, Haxis, Height, Move, MyopicPlayer, Piece, Pool, QuartoError, QuartoPlayer, Seat, Shape,
    Square, Top, Vaxis,
};

use crate::{piece, square};

#[test]
fn pieces_have_codes_and_attributes() {
    let codes = "SBCH SBCO SBQH SBQO SECH SECO SEQH SEQO TBCH TBCO TBQH TBQO TECH TECO TEQH TEQO";
    for (index, code) in codes.split(' ').enumerate() {
        let piece = Piece::new(index).unwrap();
        assert_eq!(piece.to_string(), code);
        assert_eq!(code.parse(), Ok(piece));
        assert_eq!(piece.index(), index);
        assert_eq!(Piece::with(piece.height(), piece.color(), piece.shape(), piece.top()), piece);
        let letters =
            [piece.height().letter(), piece.color().letter(), piece.shape().letter(), piece.top().letter()];
        assert_eq!(String::from_iter(letters), code);
        for (other, other_code) in Piece::ALL.into_iter().zip(codes.split(' ')) {
            let same = |i: usize| code.as_bytes()[i] == other_code.as_bytes()[i];
            assert_eq!(piece.compare_height(other), same(0));
            assert_eq!(piece.compare_color(other), same(1));
            assert_eq!(piece.compare_shape(other), same(2));
            assert_eq!(piece.compare_top(other), same(3));
        }
    }
    assert_eq!(Piece::new(16), None);
    assert_eq!(Piece::default(), Piece::with(Height::Short, Color::Beige, Shape::Circle, Top::Hollow));
    for text in ["", "SBC", "sbch", "SBCHH", "SBCH ", "BSCH", "SBC\u{48f}", "ééé"] {
        let message = text.parse::<Piece>().unwrap_err().to_string();
        assert!(message.starts_with(&format!("invalid piece {text:?}: expected S or T")), "{message}");
    }
}

#[test]
fn squares_have_names_and_diagonals() {
    for (row, v) in Vaxis::ALL.into_iter().enumerate() {
        for (column, h) in Haxis::ALL.into_iter().enumerate() {
            let name = format!("{}{}", ["A", "B", "C", "D"][row], column + 1);
            let square = Square::at(v, h);
            assert_eq!(square.to_string(), name);
            assert_eq!(name.parse(), Ok(square));
            assert_eq!((square.v(), square.h()), (v, h));
            assert_eq!(Square::new(4 * row + column), Some(square));
            assert_eq!(square.index(), 4 * row + column);
            assert_eq!(square.is_on_first_diagonal(), row == column);
            assert_eq!(square.is_on_second_diagonal(), row + column == 3);
            let mut moved = Square::default();
            moved.set_v(v);
            moved.set_h(h);
            assert_eq!(moved, square);
            assert_eq!(Board::new().get_square(v, h), square);
        }
    }
    assert_eq!(Square::new(16), None);
    for text in ["", "A", "a1", "A0", "A5", "E1", "A11", "1A", "é", " A1"] {
        let message = text.parse::<Square>().unwrap_err().to_string();
        assert!(message.starts_with(&format!("invalid square {text:?}: expected a row A to D")), "{message}");
    }
    for (text, expected) in [
        ("A", "invalid move \"A\""),
        ("SBC", "invalid move"),
        ("E1", "invalid square"),
        ("ABCD", "invalid piece"),
    ] {
        assert!(text.parse::<Move>().unwrap_err().to_string().starts_with(expected));
    }
}

#[test]
fn pool_keeps_what_is_used() {
    let mut pool = Pool::new();
    let full = "Available:\nSB SB SB SB SE SE SE SE TB TB TB TB TE TE TE TE \n\
                CH CO QH QO CH CO QH QO CH CO QH QO CH CO QH QO \n";
    assert_eq!(pool.to_string(), full);
    for (index, piece) in Piece::ALL.into_iter().enumerate() {
        assert_eq!(pool.unused().len(), 16 - index);
        assert_eq!(pool.get_unused_piece(piece), Ok(piece));
        assert_eq!(pool.get_unused_piece_by_code(&piece.to_string()), Ok(piece));
        pool.set_used(piece, true);
        assert!(pool.is_used(piece));
        assert_eq!(pool.get_unused_piece(piece), Err(QuartoError::UsedPiece(piece)));
        assert_eq!(pool.get_unused_piece_by_code(&piece.to_string()), Err(QuartoError::UsedPiece(piece)));
    }
    assert_eq!(pool.to_string(), "");
    pool.set_used(piece("TBQO"), false);
    assert_eq!(pool.to_string(), "Available:\nTB \nQO \n");
    assert_eq!(pool.unused().collect::<Vec<_>>(), [piece("TBQO")]);
}

#[test]
fn board_is_drawn_and_says_what_is_wrong() {
    let (mut board, mut pool) = (Board::new(), Pool::new());
    board.place(piece("SBCH"), square("A1"), &mut pool);
    board.place(piece("TBQO"), square("C2"), &mut pool);
    let drawn = "    1    2    3    4\n  +----+----+----+----+\n\
                 a | SB |    |    |    |\n  | CH |    |    |    |\n  +----+----+----+----+\n\
                 b |    |    |    |    |\n  |    |    |    |    |\n  +----+----+----+----+\n\
                 c |    | TB |    |    |\n  |    | QO |    |    |\n  +----+----+----+----+\n\
                 d |    |    |    |    |\n  |    |    |    |    |\n  +----+----+----+----+\n";
    assert_eq!(board.to_string(), drawn);
    assert!(pool.is_used(piece("TBQO")) && !pool.is_used(piece("TBQH")));
    assert_eq!(board.get_piece(square("C2")), Ok(piece("TBQO")));
    assert_eq!(board.get_empty_square(Vaxis::B, Haxis::H2), Ok(square("B2")));
    assert_eq!(board.get_empty_square_by_name("B2"), Ok(square("B2")));
    for (error, text) in [
        (board.get_piece(square("A2")).unwrap_err(), "A2 is empty."),
        (board.get_empty_square(Vaxis::A, Haxis::H1).unwrap_err(), "A1 is not empty."),
        (board.get_empty_square_by_name("C2").unwrap_err(), "C2 is not empty."),
        (board.get_empty_square_by_name("C5D").unwrap_err(), "C5D is an invalid input."),
        (pool.get_unused_piece_by_code("SBCH").unwrap_err(), "SBCH is already used."),
        (pool.get_unused_piece_by_code("ABCD").unwrap_err(), "ABCD is an invalid input."),
    ] {
        assert_eq!(error.to_string(), text);
    }
    board.set_piece(square("C2"), Some(piece("SBCO")));
    assert_eq!(board.get(square("C2")), Some(piece("SBCO")));
    board.set_piece(square("C2"), None);
    assert!(board.is_empty(square("C2")));
    board.set_piece(square("A1"), None);
    assert_eq!(board, Board::new());
}

#[test]
fn winning_is_told_before_and_after_placing() {
    let (mut board, mut pool) = (Board::new(), Pool::new());
    for (code, name) in [("TBCH", "A1"), ("TEQO", "B2"), ("TBQH", "C3")] {
        assert!(!board.is_winning(piece(code), square(name)));
        board.place(piece(code), square(name), &mut pool);
        assert!(!board.is_winning(piece(code), square(name)));
    }
    assert!(board.is_winning(piece("TECO"), square("D4")));
    assert!(!board.is_winning(piece("SECO"), square("D4")));
    assert!(!board.is_winning(piece("TECO"), square("D1")));
    board.place(piece("TECO"), square("D4"), &mut pool);
    assert!(board.is_winning(piece("TECO"), square("D4")));
    // A line elsewhere does not make another square win.
    assert!(!board.is_winning(piece("TBCO"), square("A2")));
}

#[test]
fn myopic_player_with_no_choice_says_so() {
    let mut pool = Pool::new();
    let mut board = Board::new();
    for (piece, square) in Piece::ALL.into_iter().zip(Square::ALL) {
        board.place(piece, square, &mut pool);
    }
    let mut player = MyopicPlayer::new(7);
    assert!(player.select_piece(&board, &pool).is_err());
    assert!(player.select_square(&board, &pool, piece("SBCH")).is_err());
}

#[test]
fn seats_are_read() {
    assert_eq!("h".parse(), Ok(Seat::Human));
    assert_eq!("m".parse(), Ok(Seat::Myopic));
    assert_eq!("mcts:50".parse(), Ok(Seat::Computer(Bot::Mcts(50))));
    let message = "H".parse::<Seat>().unwrap_err().to_string();
    let expected = format!("h for a human, m for the myopic player, {}", Bot::NAMES);
    assert_eq!(message, format!("invalid player \"H\": expected {expected}"));
}
