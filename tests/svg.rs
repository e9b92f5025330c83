//! Pictures are well-formed, accessible and deterministic, and do not affect others on the same page.

use std::collections::HashMap;

use petteia::prelude::*;
use petteia::svg::{Marks, Theme, sized};
use petteia::{Breakdown, Quarto, Reversi, Rng, TicTac};
use roxmltree::{Document, Node};

const THEMES: [Theme; 3] = [Theme::Auto, Theme::Light, Theme::Dark];

/// Counts the shapes in groups of a class.
fn count(picture: &str, class: &str) -> usize {
    let document = Document::parse(picture).unwrap();
    let class = format!("pet-{class}");
    let of_class =
        |node: &Node| node.attribute("class").is_some_and(|classes| classes.split(' ').any(|c| c == class));
    document
        .descendants()
        .filter(of_class)
        .map(|group| group.children().filter(Node::is_element).count())
        .sum()
}

fn text_of<'a>(document: &'a Document, name: &str) -> &'a str {
    document.descendants().find(|node| node.tag_name().name() == name).and_then(|node| node.text()).unwrap()
}

fn plain<M>() -> Marks<M> {
    Marks::default()
}

fn with_legal<M>() -> Marks<M> {
    Marks { legal: true, ..Marks::default() }
}

fn with_last<P: Draw>(position: &P, last: &str) -> String {
    position.svg(&Marks { last: Some(last.parse().unwrap()), ..Marks::default() })
}

/// Checks a single picture.
fn check<P: Draw>(position: &P, marks: &Marks<P::Move>) -> String {
    let picture = position.svg(marks);
    assert_eq!(picture, position.svg(marks), "a picture depends only on the position and the marks");
    let document = Document::parse(&picture).unwrap_or_else(|error| panic!("{error}:\n{picture}"));
    let root = document.root_element();
    assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")));
    assert_eq!(root.attribute("role"), Some("img"));

    // It scales: it has a view box, and no lengths in pixels.
    let view = root.attribute("viewBox").unwrap().split(' ').map(|number| number.parse::<i32>().unwrap());
    assert!(matches!(view.collect::<Vec<_>>()[..], [_, _, width, height] if width > 0 && height > 0));
    for side in ["width", "height"] {
        let length = root.attribute(side).unwrap().strip_suffix("em").unwrap();
        assert!(length.parse::<f64>().unwrap() > 1.0 && length.len() <= 5, "{length}");
    }

    // Screen readers find the title and the description.
    let by_id = |id: &str| document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap();
    assert_eq!(by_id(root.attribute("aria-labelledby").unwrap()).tag_name().name(), "title");
    assert_eq!(by_id(root.attribute("aria-describedby").unwrap()).tag_name().name(), "desc");
    assert!(!text_of(&document, "desc").is_empty());
    let title = text_of(&document, "title");
    let ending = match (position.turn(), position.outcome().map(|outcome| outcome.winner())) {
        (Some(player), _) => format!("{} to ", position.players()[player.index()]),
        (None, Some(Some(player))) => format!("{} wins", position.players()[player.index()]),
        (None, _) => "draw".to_string(),
    };
    assert!(title.contains(&ending), "{title}");

    // The picture neither affects nor needs anything outside: every rule is scoped, and nothing is fetched.
    let scope = format!(".{}", root.attribute("class").unwrap());
    for line in text_of(&document, "style").lines().filter(|line| !line.is_empty()) {
        assert!(line.starts_with(&scope) || line.starts_with("@media") || line == "}", "{line}");
    }
    assert!(!picture.contains("href") && !picture.contains("url(") && !picture.contains("@import"));
    for class in document.descendants().filter_map(|node| node.attribute("class")) {
        assert!(class.split(' ').all(|class| class.starts_with("pet-")), "{class}");
    }
    picture
}

/// Plays random games and checks the picture of every position with every kind of mark.
fn check_games<P: Draw>(start: &P, games: u64) {
    let mut by_id = HashMap::new();
    for game in 0..games {
        let (mut position, mut rng, mut last) = (start.clone(), Rng::for_game(7, game), None);
        for _ in 0..200 {
            let legal = position.moves().len();
            let mut pictures = Vec::new();
            for theme in THEMES {
                pictures.push(check(&position, &Marks { theme, ..Marks::default() }));
                pictures.push(check(&position, &Marks { last: last.clone(), legal: true, theme }));
            }
            assert_eq!(count(&pictures[0], "legal") + count(&pictures[0], "last"), 0);
            assert_eq!(count(&pictures[1], "legal"), legal, "{position}");
            assert_eq!(count(&pictures[1], "last"), usize::from(last.is_some()), "{position}");
            for picture in pictures {
                let document = Document::parse(&picture).unwrap();
                let id = document.root_element().attribute("class").unwrap().to_string();
                let known = by_id.entry(id).or_insert_with(|| picture.clone());
                assert_eq!(*known, picture, "only equal pictures share an id");
            }
            // Any move can be given as the last one, even an impossible one.
            for action in 0..position.num_actions() {
                position.svg(&Marks { last: position.move_of(action), ..plain() });
            }
            let Some(m) = position.moves().nth(rng.below(legal.max(1))) else { break };
            position.play(m.clone()).unwrap();
            last = Some(m);
        }
    }
}

#[test]
fn every_picture_is_sound() {
    check_games(&TicTac::default(), 20);
    check_games(&Reversi::default(), 3);
    check_games(&Reversi::new(2, 7).unwrap(), 3);
    check_games(&Quarto::default(), 5);
    check_games(&Breakdown::default(), 5);
    check_games(&Breakdown::new(7, 6, 3, 2).unwrap(), 5);
    check_games(&Breakdown::new(1, 1, 1, 1).unwrap(), 1);
}

#[test]
fn a_sized_picture_is_the_same_in_another_size() {
    fn check_sizes<P: Draw>(position: &P) {
        let picture = position.svg(&with_legal());
        let own = Document::parse(&picture).unwrap();
        let own = ["width", "height"].map(|side| own.root_element().attribute(side).unwrap());
        for width in [1.0, 72.5, 300.0, 100_000.0] {
            let sized = sized(&picture, width);
            let document = Document::parse(&sized).unwrap();
            let number = |text: &str| text.parse::<f64>().unwrap();
            let [wide, high] =
                ["width", "height"].map(|side| document.root_element().attribute(side).unwrap());
            assert_eq!(number(wide), width);
            let view: Vec<f64> =
                document.root_element().attribute("viewBox").unwrap().split(' ').map(number).collect();
            assert!((number(high) - width * view[3] / view[2]).abs() < 0.001, "{position}");
            let size = |[wide, high]: [&str; 2]| format!("width=\"{wide}\" height=\"{high}\"");
            assert_eq!(sized.replacen(&size([wide, high]), &size(own), 1), picture);
        }
    }
    check_sizes(&TicTac::default());
    check_sizes(&Breakdown::new(7, 6, 3, 2).unwrap());
    check_sizes(&Breakdown::new(65, 1, 1, 1).unwrap());
    check_sizes(&Reversi::new(2, 7).unwrap());
    check_sizes(&Quarto::default());
    // Anything else stays as it is.
    for other in ["", "<svg/>", "<svg viewBox=\"0 0 1 1\" width=\"3\"/>"] {
        assert_eq!(sized(other, 300.0), other);
    }
}

#[test]
fn themes_differ_and_auto_has_both() {
    let game = Reversi::default();
    let [auto, light, dark] = THEMES.map(|theme| game.svg(&Marks { theme, ..plain() }));
    let colours = |picture: &str| {
        let document = Document::parse(picture).unwrap();
        let id = document.root_element().attribute("class").unwrap().to_string();
        text_of(&document, "style").replace(&id, "").lines().map(str::to_string).collect::<Vec<_>>()
    };
    let [auto, light, dark] = [auto, light, dark].map(|picture| colours(&picture));
    assert_ne!(light, dark);
    assert!(light.iter().chain(&dark).all(|line| auto.contains(line)));
    assert!(auto.iter().any(|line| line.starts_with("@media (prefers-color-scheme:dark)")));
    assert!(!light.iter().chain(&dark).any(|line| line.starts_with("@media")));
}

#[test]
fn tictac_shows_marks_and_the_winning_line() {
    let game: TicTac = "O_O/XXX/_OX -".parse().unwrap();
    let picture = with_last(&game, "B1");
    assert_eq!(["x", "o", "win", "last"].map(|class| count(&picture, class)), [4, 3, 3, 1]);
    assert!(picture.contains("<title id=") && picture.contains(">TicTac: X wins</title>"));
    assert!(picture.contains(
        ">Row A: O, empty, O. Row B: 3 X. Row C: empty, O, X. Winning squares: B1, B2, B3. Last move: B1.</desc>"
    ));
}

#[test]
fn reversi_shows_tiles_and_greys_those_of_the_loser() {
    let game: Reversi = "____/_DL_/_DD_/____ L".parse().unwrap();
    let picture = game.svg(&with_legal());
    assert_eq!(["dark", "light"].map(|class| count(&picture, class)), [3, 1 + game.moves().len()]);
    let over: Reversi = "DDD/DDD/DDL -".parse().unwrap();
    let picture = over.svg(&plain());
    assert_eq!((count(&picture, "lost-light"), count(&picture, "lost-dark")), (1, 0));
    // The square is not on this board.
    assert_eq!(count(&with_last(&over, "h8"), "last"), 0);
}

#[test]
fn quarto_shows_board_hand_and_pool() {
    let start = Quarto::default();
    let picture = start.svg(&plain());
    assert_eq!(["beige", "sepia", "hole"].map(|class| count(&picture, class)), [8, 8, 8]);
    let game: Quarto = "0.../..../..../.... 5 1".parse().unwrap();
    let picture = with_last(&game, "SECO");
    assert_eq!(["beige", "sepia", "hole", "last"].map(|class| count(&picture, class)), [8, 8, 8, 1]);
    assert!(picture.contains(">Quarto: player 1 to place a piece</title>"));
    assert!(picture.contains("A1: short beige hollow circle. In hand: short sepia solid circle."));
    // Another piece is in hand.
    assert_eq!(count(&with_last(&game, "TEQO"), "last"), 0);
}

#[test]
fn breakdown_shows_cells_the_last_stick_and_the_winning_square() {
    let game: Breakdown = "..../.oo./**../*.../*.oo b 2 2".parse().unwrap();
    let picture = with_last(&game, "-1");
    assert_eq!(["dark", "light", "last", "win"].map(|class| count(&picture, class)), [4, 4, 1, 0]);
    assert!(picture.contains("M150 150L250 150"), "the line runs along the stick");
    assert!(picture.contains("Row 1: empty, 2 white, empty. Row 2: 2 black, 2 empty."));
    assert_eq!(count(&with_last(&game, "!"), "last"), 1);
    // These sticks cannot have been dropped last: their cells would be missing, or not of one colour in one row.
    for last in ["|1", "-0", "|3", "-3", "|9", "-z", "|4294967295", "-4294967295"] {
        assert_eq!(count(&with_last(&game, last), "last"), 0, "{last}");
    }
    let won: Breakdown = "**/** - 2 2".parse().unwrap();
    assert_eq!(count(&won.svg(&plain()), "win"), 4);
    let long = Breakdown::new(3, 3, u32::MAX, u32::MAX).unwrap();
    assert!(with_last(&long, "-1").contains(">Breakdown: draw</title>"));
}

#[test]
fn breakdown_boards_too_large_to_read_are_not_drawn() {
    let largest = Breakdown::new(64, 64, 3, 3).unwrap();
    let picture = check(&largest, &with_legal());
    assert_eq!(count(&picture, "legal"), largest.moves().len());
    for (width, height) in [(65, 1), (1, 65), (1 << 14, 1 << 14)] {
        let picture = check(&Breakdown::new(width, height, 3, 3).unwrap(), &with_legal());
        assert!(picture.len() < 2000 && picture.contains(&format!("{width} × {height} cells")));
        assert_eq!(count(&picture, "legal"), 0);
    }
}
