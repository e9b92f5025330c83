//! Everything that a game of your own gets from petteia; run it with `cargo run`.

use std::error::Error;

use connect_four::ConnectFour;
use petteia::prelude::*;
use petteia::svg::Marks;
use petteia::vector::{Batch, Illegal, VectorEnv};
use petteia::{Bot, Contest, Record, Rng, SolveOptions, TreeOptions, mcts};

fn main() -> Result<(), Box<dyn Error>> {
    let start = ConnectFour::default();

    heading("Perft: the number of move sequences");
    let published = [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, count) in (1..).zip(published) {
        assert_eq!(start.perft(depth), count);
        println!("{depth}  {count:>7}");
    }

    heading("Random playouts");
    let tally = start.playouts(0..1000, 7);
    println!("{} for red, {} for yellow, {} drawn", tally.wins[0], tally.wins[1], tally.draws);

    heading("Solving small boards");
    for (width, height) in [(4, 4), (5, 4)] {
        let solution = ConnectFour::new(width, height)?.solve(&SolveOptions::default())?;
        let value = ["yellow wins", "a draw", "red wins"][(solution.value + 1) as usize];
        println!("{width} by {height}: {value}, {} positions searched", solution.nodes);
    }

    heading("Tree search: red has three in the middle, yellow is to move");
    let threat: ConnectFour = "......./......./......./...r.../...r.../.y.r.y. y".parse()?;
    let tree = mcts(&threat, &TreeOptions { simulations: 1000, ..TreeOptions::default() })?;
    for branch in &tree.branches {
        println!("{}  {:>4} visits, worth {:+.2}", branch.m, branch.visits, branch.value);
    }
    println!("best is {}", tree.best().m);

    heading("A match");
    let contest = Contest { bots: [Bot::Mcts(100), Bot::Myopic], games: 10, ..Contest::default() };
    let [won, drawn, lost] = contest.play(&start)?.counts();
    println!("{} against {}: {won} won, {drawn} drawn, {lost} lost", contest.bots[0], contest.bots[1]);

    heading("A record");
    let mut record = Record::new(start.clone());
    let mut rng = Rng::new(1);
    while let Some(column) = Bot::Myopic.choose(record.last(), &mut rng) {
        record.play(column)?;
    }
    println!("{record}");
    assert_eq!(record.to_string().parse::<Record<ConnectFour>>()?, record);

    heading("Its last position, as text and drawn");
    println!("{}", record.last());
    print!("{}", record.last().drawing());
    let picture = record.last().svg(&Marks { last: record.moves().last().copied(), ..Marks::default() });
    println!("and as a picture of {} bytes of SVG", picture.len());

    heading("A batch: 100 games side by side");
    let mut env = VectorEnv::new(start.clone(), 100, 7, 1, Illegal::Refuse)?;
    let tally = env.rollout(200);
    println!("observations of {:?}, {} actions", env.observation_shape(), env.num_actions());
    println!("{} games in 200 steps: {:?} won, {} drawn", tally.games(), tally.wins, tally.draws);
    Ok(())
}

fn heading(words: &str) {
    println!("\n{words}\n");
}
